import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { Profile } from "../../config/read-settings.ts";
import { LspError } from "../../contract/errors.ts";
import { operations } from "../../operations/index.ts";
import { oneLine } from "../../render/escape.ts";
import { harmlessData } from "../../render/harmless.ts";
import { allSkills, callsOf, type Skill, skillNamed } from "../skills/skill.ts";
import { instructionsIn } from "../skills/words.ts";
import { textPart } from "./tools.ts";

const meanings: Readonly<Record<string, string>> = {
	FILE: "Its path",
	SYMBOL: "Its name, or Class.method",
	NEW_NAME: "What it is called afterwards",
	TEXT: "What is taken out, as it stands in the file",
	DIRECTORY: "Its path",
};

/** Each skill has the words that its calls leave open. */
export async function promptsFor(profile: Profile) {
	const skills = (await allSkills()).filter((skill) => profile !== "read" || isReading(skill));
	return skills.map(({ name, description, arguments: words }) => ({
		name,
		title: titleOf(name),
		description: firstClause(description),
		arguments: words.map((word) => ({
			name: word.toLowerCase(),
			description: meanings[word] ?? word,
			required: false,
		})),
	}));
}

function titleOf(name: string): string {
	const words = name.replace(/^lsp-/, "").replaceAll("-", " ");
	return words.charAt(0).toUpperCase() + words.slice(1);
}

function firstClause(description: string): string {
	return description.split(/ - |\. /)[0] ?? description;
}

function isReading(skill: Skill): boolean {
	const calls = callsOf(skill).map(({ operation }) => operation);
	return operations.every(({ name, effect }) => effect === "read" || !calls.includes(name));
}

/** Throws a ProtocolError. */
export async function getPrompt(profile: Profile, name: string, given: Readonly<Record<string, string>>) {
	const skill = await skillNamed(name).catch((error: unknown) => {
		if (!(error instanceof LspError)) throw error;
		throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt "${harmlessData(oneLine(name))}".`);
	});
	const values = Object.fromEntries(
		Object.entries(given).flatMap(([key, value]) =>
			value === "" ? [] : [[key.toUpperCase(), harmlessData(oneLine(value))] as const],
		),
	);
	const text = instructionsIn(skill, profile, values);
	return { description: skill.description, messages: [{ role: "user" as const, content: textPart(text) }] };
}
