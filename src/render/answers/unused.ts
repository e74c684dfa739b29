import type { UnusedReport } from "../../operations/unused.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

const heads = {
	certain: "certain",
	probable: "probable",
	exported: "exported only",
} as const;

export function unusedText({ unused, files, symbols, omitted, unread }: UnusedReport): string {
	const asked = `${count(symbols, "symbol", "symbols")} in ${count(files, "file", "files")}`;
	return [
		unused.length === 0 ? `Of ${asked} none is unused.` : `Of ${asked} ${unused.length + omitted} are unused.`,
		...(["certain", "probable", "exported"] as const).flatMap((certainty) => {
			const own = unused.filter((each) => each.certainty === certainty);
			const lines = own.map(({ symbol, kind, file, line, why }) => {
				const reason = certainty === "probable" ? `  (${oneLine(why)})` : "";
				return `  ${kind} ${oneLine(symbol)}  ${oneLine(file)}:${line}${reason}`;
			});
			return own.length === 0 ? [] : [`${heads[certainty]}:`, ...lines];
		}),
		...(omitted > 0 ? [`... and ${omitted} more`] : []),
		...unread.map(({ path, reason }) => `${oneLine(path)}: its symbols are not known: ${oneLine(reason)}`),
	].join("\n");
}
