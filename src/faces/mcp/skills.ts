import { dirname } from "node:path";
import { ProtocolError, ProtocolErrorCode, ResourceNotFoundError } from "@modelcontextprotocol/server";
import type { Profile } from "../../config/read-settings.ts";
import { LspError } from "../../contract/errors.ts";
import type { Extension } from "../../contract/extension.ts";
import { operations } from "../../operations/index.ts";
import { oneLine } from "../../render/escape.ts";
import { harmlessData } from "../../render/harmless.ts";
import { hashOf } from "../../util/hash.ts";
import { read, refusalWords } from "../../util/read-file.ts";
import { allSkills, callsOf, type Frontmatter, type Skill, skillNamed } from "../skills/skill.ts";
import { fileIn, instructionsIn } from "../skills/words.ts";
import { textPart } from "./tools.ts";

const meanings: Readonly<Record<string, string>> = {
	FILE: "Its path",
	SYMBOL: "Its name, or Class.method",
	NEW_NAME: "What it is called afterwards",
	TEXT: "What is taken out, as it stands in the file",
	DIRECTORY: "Its path",
};

async function skillsOf(profile: Profile | undefined): Promise<Skill[]> {
	return profile === undefined ? [] : (await allSkills()).filter((skill) => profile !== "read" || isReading(skill));
}

export async function promptsFor(profile: Profile | undefined) {
	return (await skillsOf(profile)).map(({ name, description, arguments: words }) => ({
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

export const skillsExtension = { "io.modelcontextprotocol/skills": {} };

interface SkillFile {
	readonly uri: string;
	readonly frontmatter: Frontmatter;
	readonly text: string;
}

const scheme = "skill://";

export function isSkillUri(uri: string): boolean {
	return uri.startsWith(scheme);
}

/** Undefined offers none. */
export async function skillFiles(profile: Profile | undefined): Promise<SkillFile[]> {
	if (profile === undefined) return [];
	const skills = await skillsOf(profile);
	return skills.map((skill) => {
		const { name, frontmatter } = skill;
		return { uri: `${scheme}${name}/SKILL.md`, frontmatter, text: fileIn(skill, profile) };
	});
}

/** Of the extension: each skill is one file. */
export function skillEntry({ uri, frontmatter, text }: SkillFile) {
	const resource = { uri, digest: `sha256:${hashOf(text, 64)}`, size: Buffer.byteLength(text) };
	return { uri, frontmatter, resources: [resource] };
}

/** Throws a ProtocolError. */
export function skillFileAt(files: readonly SkillFile[], uri: string): SkillFile {
	const file = files.find((each) => each.uri === uri);
	if (!file) throw new ResourceNotFoundError(uri);
	return file;
}

const maxPromptBytes = 64 * 1024;

/** Of packages. */
export function addedPrompts({ prompts }: Extension) {
	return harmlessData(prompts).map(({ name, title, description, arguments: words }) => ({
		name,
		title,
		description,
		arguments: Object.entries(words).map(([word, meaning]) => ({ name: word, description: meaning, required: false })),
	}));
}

/** Undefined if no package has it. Throws a ProtocolError for an unreadable text. */
export async function addedPrompt({ prompts }: Extension, name: string, given: Readonly<Record<string, string>>) {
	const prompt = prompts.find((each) => each.name === name);
	if (!prompt) return undefined;
	const { file, description, arguments: words } = prompt;
	const content = await read(file, { maxBytes: maxPromptBytes, within: dirname(file) });
	if (!("text" in content))
		throw new ProtocolError(ProtocolErrorCode.InternalError, `${harmlessData(file)}: ${refusalWords[content.refused]}`);
	const text = harmlessData(content.text).replace(/\{\{(\w+)\}\}/g, (whole, word: string) => {
		if (!Object.hasOwn(words, word)) return whole;
		return harmlessData(oneLine(given[word] || word.toUpperCase()));
	});
	return { description: harmlessData(description), messages: [{ role: "user" as const, content: textPart(text) }] };
}
