import { resolve } from "node:path";
import { auditLine } from "../../render/status/audit.ts";
import { anySource, readText } from "../../util/read-file.ts";
import { defaultAuditPath, givenAuditPath } from "../audit/audit.ts";
import { commandMistake, parseCommand } from "./parse-command.ts";
import { print, printJsonText } from "./print.ts";

const defaultLimit = 20;

export async function auditCommand(args: readonly string[]): Promise<number> {
	const options = { "audit-log": { type: "string" }, limit: { type: "string" }, json: { type: "boolean" } } as const;
	const { values } = parseCommand("audit", { args: [...args], options });
	const limit = Number(values.limit ?? defaultLimit);
	if (!Number.isSafeInteger(limit) || limit < 1)
		throw commandMistake("audit", `--limit ${values.limit} is no number above 0.`);
	const path = resolve(givenAuditPath(values["audit-log"]) || defaultAuditPath());
	const texts = await Promise.all([`${path}.1`, path].map((each) => readText(each, anySource)));
	if (texts.every((text) => text === undefined)) return print(`Nothing is recorded in ${path}.`);
	const lines = texts.flatMap((text = "") => text.split("\n")).filter((line) => line !== "");
	for (const line of lines.slice(-limit))
		if (values.json) printJsonText(line);
		else print(auditLine(line));
	return 0;
}
