import type { Failure } from "./failure.ts";

/** Some patterns take quadratic time. */
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

/** gcc's form without "error": only Go's tools print nothing else in it. */
const ofGo = /^(?:vet: )?(?<file>[^\s:][^:]*\.go):(?<line>\d+):(?<column>\d+): (?<message>.*)$/;

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
