import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { LspError } from "../../contract/errors.ts";
import { auditLine } from "../../render/status/audit.ts";
import { anySource, readText } from "../../util/read-file.ts";
import { defaultAuditPath, givenAuditPath } from "../audit/audit.ts";
import { optionMistake } from "../tools/option-mistake.ts";
import { print, printJsonText } from "./print.ts";

const defaultLimit = 20;

export async function auditCommand(args: readonly string[]): Promise<number> {
	const { values } = parse(args);
	const limit = Number(values.limit ?? defaultLimit);
	if (!Number.isSafeInteger(limit) || limit < 1) throw mistake(`--limit ${values.limit} is no number above 0.`);
	const path = resolve(givenAuditPath(values["audit-log"]) || defaultAuditPath());
	const texts = await Promise.all([`${path}.1`, path].map((each) => readText(each, anySource)));
	if (texts.every((text) => text === undefined)) return print(`Nothing is recorded in ${path}.`);
	const lines = texts.flatMap((text = "") => text.split("\n")).filter((line) => line !== "");
	for (const line of lines.slice(-limit))
		if (values.json) printJsonText(line);
		else print(auditLine(line));
	return 0;
}

function parse(args: readonly string[]) {
	try {
		const options = {
			"audit-log": { type: "string" },
			limit: { type: "string" },
			json: { type: "boolean" },
		} as const;
		return parseArgs({ args: [...args], options });
	} catch (error) {
		throw mistake(optionMistake(error, { "audit-log": [], limit: [], json: [] }));
	}
}

function mistake(message: string): LspError {
	return new LspError("LSP_INVALID_INPUT", `audit: ${message}`, {
		suggestion: "Run `pi-lsp audit --help` to see what it takes.",
	});
}
