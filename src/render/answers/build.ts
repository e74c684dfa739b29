import type { Build } from "../../operations/build.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";

const maxFailures = 50;
const maxLines = 40;

const outcomes = {
	passed: "passed",
	failed: "failed",
	timed_out: "was ended: the time is over",
	nothing: "ran no test",
	unchanged: "",
} as const;

export function buildText(build: Build): string {
	const { command, directory, outcome, exitCode, ms, failures, counts, output, omittedBytes, others, ranAll } = build;
	const { impacted, recorded } = build;
	if (recorded) return recordedText(recorded);
	if (outcome === "unchanged" && impacted?.unaffected === undefined) return "Nothing differs: there is no test to run.";
	if (outcome === "unchanged") return `No test is run: ${unaffectedText(impacted?.unaffected)}`;
	if (command === "") return "No test reaches what differs: nothing is proven.";
	const where = directory === "." ? "" : ` in ${oneLine(directory)}`;
	const code = outcome === "failed" && exitCode !== undefined ? `, exit code ${exitCode}` : "";
	const tests = counts && counts.passed + counts.failed > 0 ? `: ${countsText(counts)}` : "";
	return [
		`${oneLine(command)}${where} ${outcomes[outcome]} after ${(ms / 1000).toFixed(1)} s${code}${tests}`,
		...(impacted ? [chosenText(impacted)] : []),
		...(ranAll ? ["It ran all tests: it takes no selection."] : []),
		...failureLines(failures),
		...(outcome !== "passed" && failures.length === 0 ? outputLines(output, omittedBytes) : []),
		...(others.length === 0 ? [] : [`Also here: ${others.join(", ")}.`]),
	].join("\n");
}

function recordedText({ recorded, current, unknown }: NonNullable<Build["recorded"]>): string {
	const more = current === 0 ? "" : `; ${count(current, "is", "are")} recorded already`;
	const open = `Not all recorded: ${count(unknown, "file", "files")}, as tests fail or it is not known what they execute`;
	return `Recorded what the tests of ${count(recorded, "file", "files")} execute${more}.${unknown === 0 ? "" : ` ${open}.`}`;
}

function unaffectedText(unaffected = 0): string {
	return `nothing has changed that the recorded tests of ${count(unaffected, "file", "files")} execute.`;
}

function chosenText({ changed, files, why, unaffected }: NonNullable<Build["impacted"]>): string {
	const what = count(changed, "file differs", "files differ");
	if (files === undefined) return `${what}; all tests were run: ${oneLine(why ?? "")}.`;
	return `${what}; ${count(files, "file of tests reaches", "files of tests reach")} that.${unaffected === undefined ? "" : ` Left out: ${unaffectedText(unaffected)}`}`;
}

function countsText({ passed, failed, skipped }: NonNullable<Build["counts"]>): string {
	return [
		...(failed > 0 ? [`${count(failed, "test", "tests")} failed`] : []),
		`${passed} passed`,
		...(skipped > 0 ? [`${skipped} skipped`] : []),
	].join(", ");
}

function failureLines(failures: Build["failures"]): string[] {
	const byFile = new Map<string, string[]>();
	for (const { file = "", line, column, symbol, test, code, message, changed } of failures.slice(0, maxFailures)) {
		const at = line === undefined ? "" : `${line}${column === undefined ? "" : `:${column}`}: `;
		const name = test ?? (symbol === undefined ? undefined : `in ${symbol}`);
		const text = `  ${at}${name === undefined ? "" : `${oneLine(name)}: `}${oneLine(message)}${code === undefined ? "" : ` (${oneLine(code)})`}`;
		byFile.set(file, [...(byFile.get(file) ?? []), text, ...changedLines(changed)]);
	}
	const more = failures.length > maxFailures ? [`... and ${failures.length - maxFailures} more`] : [];
	return [...[...byFile].flatMap(([file, lines]) => [file === "" ? "elsewhere" : oneLine(file), ...lines]), ...more];
}

function changedLines(changed: Build["failures"][number]["changed"] = []): string[] {
	if (changed.length === 0) return [];
	const named = changed.map(({ file, symbol }) =>
		[oneLine(file), ...(symbol === "" ? [] : [oneLine(symbol)])].join(" "),
	);
	return [`    reached by ${named.join(", ")}`];
}

function outputLines(output: string, omittedBytes: number): string[] {
	const lines = output.split("\n").filter((line) => line.trim() !== "");
	const isCut = omittedBytes > 0 || lines.length > maxLines;
	if (lines.length === 0) return ["It printed nothing."];
	return [
		isCut ? "the end of what it printed:" : "it printed:",
		...lines.slice(-maxLines).map((line) => `  ${oneLine(line)}`),
	];
}
