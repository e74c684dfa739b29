import { type Failure, maxFailures, type OutputReader } from "./failure.ts";

interface CompilerMessage {
	readonly reason?: string;
	readonly message?: {
		readonly level?: string;
		readonly message?: string;
		readonly code?: { readonly code?: string } | null;
		readonly spans?: readonly {
			readonly file_name?: string;
			readonly line_start?: number;
			readonly column_start?: number;
			readonly is_primary?: boolean;
		}[];
	};
}

const maxLines = 20;

/** `--message-format=json`; tests print plain lines. */
export function cargoOutput(): OutputReader {
	const errors: Failure[] = [];
	const tests = new Map<string, Failure>();
	const counts = { passed: 0, failed: 0, skipped: 0 };
	let current: { readonly test: string; readonly lines: string[] } | undefined;
	const close = () => {
		if (current && tests.size < maxFailures) tests.set(current.test, testFailure(current.test, current.lines));
		current = undefined;
	};
	return {
		line(text) {
			if (text.startsWith("{")) {
				const error = errorIn(text);
				if (error && errors.length < maxFailures) errors.push(error);
				return;
			}
			const [, ended, how] = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/.exec(text) ?? [];
			if (ended !== undefined) {
				if (how === "ok") counts.passed++;
				else if (how === "ignored") counts.skipped++;
				else {
					counts.failed++;
					if (!tests.has(ended)) tests.set(ended, { test: ended, message: "failed" });
				}
				return;
			}
			const [, test] = /^---- (.+) stdout ----$/.exec(text) ?? [];
			if (test !== undefined) {
				close();
				current = { test, lines: [] };
			} else if (/^(?:failures:|test result:)/.test(text)) close();
			else if (current && current.lines.length < maxLines) current.lines.push(text);
		},
		end() {
			close();
			return { failures: [...errors, ...tests.values()], counts };
		},
	};
}

function testFailure(test: string, lines: readonly string[]): Failure {
	const at = lines.findIndex((line) => /^thread '.*' (?:\(\d+\) )?panicked at /.test(line));
	const [, file = "", line, column] = /panicked at (?:'.*', )?([^':]+):(\d+):(\d+):?$/.exec(lines[at] ?? "") ?? [];
	const trace = lines.indexOf("stack backtrace:");
	const errors = lines
		.slice(at + 1, trace < 0 ? undefined : trace)
		.filter((each) => !each.startsWith("note: run with `RUST_BACKTRACE"));
	// Before Rust 1.73 the message is on the line itself.
	const [, old] = /panicked at '(.*)', /.exec(lines[at] ?? "") ?? [];
	const message = [...(old === undefined ? [] : [old]), ...errors].join("\n") || "failed";
	return { ...(line === undefined ? {} : { file, line: Number(line), column: Number(column) }), test, message };
}

function errorIn(text: string): Failure | undefined {
	let given: CompilerMessage;
	try {
		given = JSON.parse(text) as CompilerMessage;
	} catch {
		return undefined;
	}
	const { level, message, code, spans = [] } = given.message ?? {};
	if (given.reason !== "compiler-message" || level !== "error" || message === undefined) return undefined;
	const span = spans.find((each) => each.is_primary) ?? spans[0];
	if (!span && /^aborting due to/.test(message)) return undefined;
	return {
		...(span?.file_name === undefined ? {} : { file: span.file_name, line: span.line_start ?? 1 }),
		...(span?.column_start === undefined ? {} : { column: span.column_start }),
		...(code?.code === undefined ? {} : { code: code.code }),
		message,
	};
}
