import type { Verification } from "../../operations/verify.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";
import { buildText } from "./build.ts";

const maxListed = 20;

const verdicts = { good: "Good", bad: "Not good", unproven: "Not proven" } as const;

export function verifyText(verification: Verification): string {
	const { verdict, base, changed, checked, errors, unproven, tests, unused, unformatted, notes } = verification;
	if (changed.length === 0) return `${verdicts[verdict]}: nothing differs from ${oneLine(base)}.`;
	const differs = count(changed.length, "file differs", "files differ");
	return [
		`${verdicts[verdict]}: ${differs} from ${oneLine(base)}; ${count(checked, "file was", "files were")} checked.`,
		...listed(
			"new errors:",
			errors.map(({ file, line, column, code, message }) => {
				return `${oneLine(file)}:${line}:${column} ${oneLine(message)}${code === undefined ? "" : ` (${oneLine(code)})`}`;
			}),
		),
		...listed(
			"nothing uses what is new:",
			unused.map(({ symbol, file, line }) => `${oneLine(symbol)}  ${oneLine(file)}:${line}`),
		),
		...listed("not formatted any more:", unformatted.map(oneLine)),
		...listed(
			"not proven:",
			unproven.map(({ what, reason }) => `${oneLine(what)}: ${oneLine(reason)}`),
		),
		...(tests ? [buildText(tests)] : []),
		...notes.map(oneLine),
	].join("\n");
}

function listed(words: string, items: readonly string[]): string[] {
	if (items.length === 0) return [];
	const more = items.length > maxListed ? [`  ... and ${items.length - maxListed} more`] : [];
	return [words, ...items.slice(0, maxListed).map((item) => `  ${item}`), ...more];
}
