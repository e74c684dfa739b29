import type { Diagnostic } from "../../contract/check-report.ts";
import { escapePath } from "../escape.ts";
import { messageWithCode } from "./causes.ts";

export function refusalText(path: string, broken: Diagnostic): string {
	const { line, column } = broken;
	return `Not applied: this edit would bring the first syntax error into ${escapePath(path)}, on line ${line} of the new text. ERROR [${line}:${column}] ${messageWithCode(broken)}`;
}
