import { compilerError } from "./compiler-lines.ts";
import { type Failure, maxFailures, type OutputReader, withoutColours } from "./failure.ts";

/** The message is below "Error Message:", the location in the trace below. */
interface DotnetTest {
	readonly test: string;
	readonly message: string[];
	isMessage: boolean;
	place?: { readonly file: string; readonly line: number };
}

const maxMessage = 20;
const maxLength = 2000;

/** Compilers' errors, and failed tests of dotnet, swift and zig, which leave no report. */
export function plainOutput(): OutputReader {
	const failures: Failure[] = [];
	let dotnet: DotnetTest | undefined;
	let zig: { readonly test: string; readonly message: string } | undefined;
	const add = (failure: Failure) => {
		const isKnown = failures.some(
			({ file, line, message }) => file === failure.file && line === failure.line && message === failure.message,
		);
		// MSBuild repeats all at the end.
		if (!isKnown && failures.length < maxFailures) failures.push(failure);
	};
	const close = () => {
		if (dotnet && (dotnet.place || dotnet.message.length > 0))
			add({ ...dotnet.place, test: dotnet.test, message: dotnet.message.join("\n") || "failed" });
		dotnet = undefined;
		if (zig) add({ ...zig, message: zig.message || "failed" });
		zig = undefined;
	};
	return {
		line(coloured) {
			const text = withoutColours(coloured.slice(0, maxLength));
			const [, swiftFile, swiftLine, swiftTest, swiftMessage] =
				/^(\/[^:]+\.swift):(\d+): error: (?:-\[)?([\w.]+[. ]\w+)\]? : (.*)$/.exec(text) ?? [];
			if (swiftFile !== undefined) {
				const test = swiftTest?.replace(" ", ".") ?? "";
				return add({ file: swiftFile, line: Number(swiftLine), test, message: swiftMessage ?? "" });
			}
			const [, failed] = /^Failed\s+(\S.*?)(?: \[[^\]]*\])?$/.exec(text) ?? [];
			const [, zigTest, zigMessage] = /^error: '([^']+)' failed(?::? ?)(.*)$/.exec(text) ?? [];
			if (failed !== undefined || zigTest !== undefined) close();
			if (failed !== undefined) dotnet = { test: failed, message: [], isMessage: false };
			else if (zigTest !== undefined) zig = { test: zigTest, message: zigMessage ?? "" };
			else if (dotnet) readDotnet(dotnet, text);
			else if (zig) {
				const [, file, line, column] = /^(\S+\.zig):(\d+):(\d+): 0x[0-9a-f]+ in test[._]/.exec(text) ?? [];
				if (file !== undefined) {
					add({ file, line: Number(line), column: Number(column), ...zig, message: zig.message || "failed" });
					zig = undefined;
				} else if (zig.message === "") zig = { ...zig, message: text.trim() };
			} else {
				const error = compilerError(text);
				if (error) add(error);
			}
		},
		end() {
			close();
			return { failures };
		},
	};
}

function readDotnet(test: DotnetTest, text: string): void {
	const [, file, line] = / in (.+):line (\d+)$/.exec(text) ?? [];
	if (text === "Error Message:") test.isMessage = true;
	else if (text === "Stack Trace:") test.isMessage = false;
	else if (test.isMessage && test.message.length < maxMessage) test.message.push(text);
	else if (file !== undefined && text.startsWith("at ")) test.place ??= { file, line: Number(line) };
}
