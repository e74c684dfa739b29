import type { Diagnostic } from "../../contract/check-report.ts";
import { escapePath } from "../escape.ts";
import { messageWithCode } from "./causes.ts";

/** Why an edit was not carried out. The line is one of the text that was refused. */
export function refusalText(path: string, broken: Diagnostic): string {
	const { line, column } = broken;
	return `Not applied: this edit would bring the first syntax error into ${escapePath(path)}, on line ${line} of the new text. ERROR [${line}:${column}] ${messageWithCode(broken)}`;
}
