import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LspError } from "../../contract/errors.ts";
import type { NextStep } from "../../contract/operation.ts";
import { operations } from "../../operations/index.ts";
import { anyManifest, readText } from "../../util/read-file.ts";
import { inputOf, parseWords } from "../tools/command-line.ts";
import type { Phase } from "./phases.ts";
import { commandsIn } from "./shell-words.ts";

type Fields = Readonly<Record<string, string>>;

/** Fields, and groups one level deep. */
export type Frontmatter = Readonly<Record<string, string | Fields>>;

/** As agentskills.io: `skills/lsp-rename/SKILL.md`. */
export interface Skill {
	readonly name: string;
	readonly description: string;
	/** Of its calls: FILE, SYMBOL. */
	readonly arguments: readonly string[];
	readonly source: string;
	readonly frontmatter: Frontmatter;
	readonly body: string;
	readonly phases: readonly Phase[] | undefined;
}

const prefix = "lsp-";

export function skillsFolder(): string {
	const folders = ["../skills", "../../../skills"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
	return folders.find((folder) => existsSync(join(folder, "lsp-verify"))) ?? (folders[0] as string);
}

/** `lsp-` may be missing. Throws LSP_INVALID_INPUT. */
export async function skillNamed(name: string): Promise<Skill> {
	const skills = await allSkills();
	const found = skills.find((skill) => skill.name === name || skill.name === prefix + name);
	if (found) return found;
	const names = skills.map((skill) => skill.name).join(", ");
	throw new LspError("LSP_INVALID_INPUT", `There is no skill "${name}".`, { suggestion: `Skills: ${names}.` });
}

export async function allSkills(): Promise<Skill[]> {
	const folder = skillsFolder();
	const names = (await readdir(folder)).filter((name) => name.startsWith(prefix)).sort();
	return Promise.all(
		names.map(async (name) => {
			const source = (await readText(join(folder, name, "SKILL.md"), anyManifest)) ?? "";
			const phases = await readText(join(folder, name, "phases.json"), anyManifest);
			return skillOf(source, phases === undefined ? undefined : (JSON.parse(phases) as Phase[]));
		}),
	);
}

function skillOf(source: string, phases: readonly Phase[] | undefined): Skill {
	const [, head = "", body = ""] = /^---\n(.*?)\n---\n(.*)$/s.exec(source) ?? [];
	const frontmatter = frontmatterIn(head);
	const { name, description, metadata } = frontmatter;
	const words = typeof metadata === "object" ? (metadata.arguments ?? "") : "";
	return {
		name: String(name ?? ""),
		description: String(description ?? ""),
		arguments: words.split(" ").filter(Boolean),
		source,
		frontmatter,
		body: body.trim(),
		phases,
	};
}

function frontmatterIn(head: string): Frontmatter {
	const fields: Record<string, string | Fields> = {};
	let group: Record<string, string> = {};
	for (const [, indent, name = "", value = ""] of head.matchAll(/^( *)([\w-]+): *(.*)$/gm)) {
		if (indent !== "") group[name] = value;
		else if (value !== "") fields[name] = value;
		else {
			group = {};
			fields[name] = group;
		}
	}
	return fields;
}

const marked = /`(pi-lsp [^`]+)`/g;

export function withCalls(text: string, write: (call: NextStep) => string): string {
	return text.replace(marked, (_, line: string) => `\`${write(callIn(line))}\``);
}

/** Throws LSP_INVALID_INPUT. */
export function callIn(line: string): NextStep {
	const [words = []] = commandsIn(line) ?? [];
	const [, name, ...args] = words.map(({ text }) => text);
	const operation = operations.find((each) => each.name === name);
	if (!operation) throw new LspError("LSP_UNKNOWN_OPERATION", `There is no operation "${name}".`);
	const { values, positionals } = parseWords(operation, args);
	const input = inputOf(operation, values, positionals);
	const ordered = Object.keys(operation.input.properties).filter((key) => input[key] !== undefined);
	return { operation: operation.name, input: Object.fromEntries(ordered.map((key) => [key, input[key]])), why: "" };
}

export function callsOf({ body }: Skill): NextStep[] {
	return [...body.matchAll(marked)].map(([, line = ""]) => callIn(line));
}

export function filledIn({ input, ...call }: NextStep, values: Readonly<Record<string, string>>): NextStep {
	const fill = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(fill);
		return typeof value === "string" && Object.hasOwn(values, value) ? values[value] : value;
	};
	return { ...call, input: Object.fromEntries(Object.entries(input).map(([key, value]) => [key, fill(value)])) };
}
