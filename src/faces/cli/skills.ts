import { lstat, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { allSkills, type Skill, skillNamed, skillsFolder } from "../skills/skill.ts";
import { fileIn, hostWords, type Words } from "../skills/words.ts";
import { noneOf } from "../tools/option-mistake.ts";
import { commandMistake, parseCommand } from "./parse-command.ts";
import { print, printAside, printJson } from "./print.ts";

const notDone = 3;

const options = {
	copy: { type: "boolean" },
	force: { type: "boolean" },
	words: { type: "string" },
	json: { type: "boolean" },
} as const;

export async function skillsCommand(args: readonly string[]): Promise<number> {
	const { values, positionals } = parseCommand(
		"skills",
		{ args: [...args], options, allowPositionals: true },
		{ words: hostWords },
	);
	const [verb = "list", word] = positionals;
	const words = hostWords.find((each) => each === (values.words ?? "shell"));
	if (!words) throw commandMistake("skills", `--words ${noneOf(values.words ?? "", hostWords)}`);
	switch (verb) {
		case "list": {
			const skills = await allSkills();
			if (values.json)
				return printJson(
					skills.map(({ name, description, phases }) => ({ name, description, phases: phases?.length ?? 0 })),
				);
			return print(skills.map(({ name, description }) => `${name}: ${description}`).join("\n"));
		}
		case "show":
			if (word === undefined) throw commandMistake("skills", "show takes a NAME.");
			return print(fileIn(await skillNamed(word), words).trimEnd());
		case "install": {
			const folder = resolve(word ?? join(homedir(), ".claude", "skills"));
			return install(folder, { words, copy: values.copy === true, force: values.force === true });
		}
		default:
			throw commandMistake("skills", noneOf(verb, ["list", "show", "install"]));
	}
}

interface InstallOptions {
	readonly words: Words;
	readonly copy: boolean;
	readonly force: boolean;
}

async function install(folder: string, { words, copy, force }: InstallOptions): Promise<number> {
	await mkdir(folder, { recursive: true });
	const kept: string[] = [];
	const skills = await allSkills();
	for (const skill of skills) {
		const target = join(folder, skill.name);
		const isThere = (await lstat(target).catch(() => undefined)) !== undefined;
		if (isThere && !force) kept.push(skill.name);
		else await put(skill, target, words, copy || words !== "shell");
	}
	print(`${skills.length - kept.length} of ${skills.length} skills are in ${folder} now.`);
	if (kept.length === 0) return 0;
	printAside(`Kept as they were: ${kept.join(", ")}. With --force they are replaced.`);
	return notDone;
}

async function put(skill: Skill, target: string, words: Words, copy: boolean): Promise<void> {
	await rm(target, { recursive: true, force: true });
	if (!copy) return symlink(join(skillsFolder(), skill.name), target, "junction");
	await mkdir(target);
	await writeFile(join(target, "SKILL.md"), fileIn(skill, words));
}
