import type { Diagnostic } from "../contract/check-report.ts";

export function isSyntaxError({ severity, source = "", code = "" }: Diagnostic): boolean {
	if (severity !== "error") return false;
	switch (source.toLowerCase()) {
		// The parser's codes are below 2000, and JSX's 17002, 17008, 17014 and 17015.
		case "ts":
		case "typescript":
			return /^(?:1\d{3}|170(?:02|08|14|15))$/.test(code);
		// pyright's rules are codes.
		case "pyright":
		case "basedpyright":
			return code === "";
		// gopls names the parser as the source.
		case "syntax":
			return true;
		case "clang":
			return /^(?:expected|extraneous)/.test(code);
		default:
			return code === "syntax-error" || code === "invalid-syntax";
	}
}
