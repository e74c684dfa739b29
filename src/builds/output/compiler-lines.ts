import type { Failure } from "./failure.ts";

/**
 * Of a line at most so much is looked at: some patterns take quadratic time.
 * Each pattern has the groups `file`, `line` and `message`, most `column` and `code` too.
 */
const maxLength = 4000;

const patterns: readonly RegExp[] = [
	// tsc, and MSBuild, which adds the project's file in brackets.
	/^(?<file>[^\s(][^(]*)\((?<line>\d+),(?<column>\d+)\): error (?<code>[A-Z]+\d+): (?<message>.*?)(?: \[[^\]]+\])?$/,
	// pyright.
	/^(?<file>[^\s:][^:]*):(?<line>\d+):(?<column>\d+) - error: (?<message>.*?)(?: \((?<code>report\w+)\))?$/,
	// gcc, clang, swift, zig, javac and mypy.
	/^(?<file>[^\s:][^:]*):(?<line>\d+):(?:(?<column>\d+):)? (?:fatal )?error: (?<message>.*?)(?: {2}\[(?<code>[\w-]+)\])?$/,
	// Maven.
	/^\[ERROR\] (?<file>\/[^:]+):\[(?<line>\d+)(?:,(?<column>\d+))?\] (?:error: )?(?<message>.*)$/,
	// Kotlin.
	/^e: (?:file:\/\/)?(?<file>[^:]+):(?<line>\d+):(?<column>\d+):? (?<message>.*)$/,
];

/** gcc's form without the word "error"; only Go's tools print nothing else in it. */
const ofGo = /^(?:vet: )?(?<file>[^\s:][^:]*\.go):(?<line>\d+):(?<column>\d+): (?<message>.*)$/;

/** The error that a line of a compiler tells. */
export function compilerError(line: string, isGo = false): Failure | undefined {
	const text = line.slice(0, maxLength);
	for (const pattern of isGo ? [ofGo] : patterns) {
		const found = pattern.exec(text)?.groups;
		if (!found) continue;
		const { file = "", message = "", column, code } = found;
		return {
			file,
			line: Number(found.line),
			...(column === undefined ? {} : { column: Number(column) }),
			...(code === undefined ? {} : { code }),
			message,
		};
	}
	return undefined;
}
