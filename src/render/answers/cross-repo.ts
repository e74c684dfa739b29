import { describeError, LspError } from "../../contract/errors.ts";
import type { CrossRepoReport } from "../../operations/cross-repo.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";
import { incompleteLine } from "../incomplete.ts";
import { listLocations } from "./locations.ts";

type Consumer = CrossRepoReport["consumers"][number];

const implementing = { one: "place", many: "places", none: "nowhere." };
const words = { one: "use", many: "uses", none: "no uses of it." };

export function crossRepoText({
	symbol,
	path,
	line,
	package: name,
	version,
	library,
	consumers,
}: CrossRepoReport): string {
	const own = [name ?? "", version ?? ""].filter((part) => part !== "").join(" ");
	const head = `${oneLine(symbol)}  ${oneLine(path)}:${line}${own && ` of ${oneLine(own)}`}`;
	const inside = `${count(library.total, "use", "uses")} in the library itself`;
	return [`${head}; ${inside}`, ...consumers.map((each) => consumerText(each, name ?? "the library"))].join("\n\n");
}

function consumerText(consumer: Consumer, library: string): string {
	const { root, error, through, others = [], implementers, note } = consumer;
	if (error) {
		const { code, message, details } = error;
		return `${oneLine(root)}: ${oneLine(describeError(new LspError(code, message, details)))}`;
	}
	const hasOnlyOthers = consumer.total === 0 && others.length > 0;
	return [
		...(hasOnlyOthers ? [] : [`${oneLine(root)}: ${listLocations(consumer, words)}`]),
		...(implementers ? [`Implemented there: ${listLocations(implementers, implementing)}`] : []),
		...(through === undefined ? [] : [`They mean what was built of it, ${oneLine(through)}.`]),
		...others.map((other) => {
			const version = [other.package, other.version].filter((part) => part !== undefined).join(" ");
			const which = `${oneLine(root)} uses ${oneLine(version)} in ${oneLine(other.path)}, not this checkout`;
			return `${which}: ${listLocations(other, { ...words, none: `no uses of ${oneLine(library)} there.` })}`;
		}),
		...(note === undefined ? [] : [oneLine(note)]),
		...incompleteLine(consumer),
	].join("\n");
}
