import { commandsIn, type Word } from "../skills/shell-words.ts";
import type { ToolEvent } from "./edit-tools.ts";

const maxLength = 1_000;

export function searchedName({ toolName, input }: ToolEvent): string | undefined {
	if (toolName === "grep") return nameIn(input.pattern);
	const { command } = input;
	if (toolName !== "bash" || typeof command !== "string" || command.length > maxLength) return undefined;
	for (const words of commandsIn(command) ?? []) {
		const name = nameIn(patternOf(words));
		if (name !== undefined) return name;
	}
	return undefined;
}

const before = /^(?:\\b|\\<|\^)?(?:(?:def|class|function|fn|func|interface|type|struct|enum|const) +)?/;
const behind = /(?:\\b|\\>|\\?\()?$/;
const aName = /^[\p{L}_$][\p{L}\p{N}_$]{2,}$/u;

function nameIn(pattern: unknown): string | undefined {
	if (typeof pattern !== "string" || pattern.length > maxLength) return undefined;
	const name = pattern.replace(before, "").replace(behind, "");
	return aName.test(name) ? name : undefined;
}

const withValue =
	/^(?:-\w*[ABCmtTgf]|--(?:after-context|before-context|context|max-count|type|type-not|glob|file|include|exclude|exclude-dir))$/;

/** Without files grep reads a pipe, unless it is recursive. */
function patternOf([program, ...given]: readonly Word[]): string | undefined {
	const args = given.map(({ text }) => text);
	const isGit = program?.text === "git" && args[0] === "grep";
	if (isGit) args.shift();
	else if (!program || !/^(?:[ef]?grep|rg|ag|ack)$/.test(program.text)) return undefined;
	const words: string[] = [];
	let named: string | undefined;
	for (let at = 0; at < args.length; at++) {
		const word = args[at] ?? "";
		if (/^(?:-\w*e|--regexp)$/.test(word)) named = args[++at];
		else if (withValue.test(word)) at++;
		else if (!word.startsWith("-")) words.push(word);
	}
	const pattern = named ?? words.shift();
	const readsFiles = words.length > 0 || args.some((word) => /^(?:-\w*[rR]|--recursive$)/.test(word));
	return readsFiles || isGit || !program?.text.endsWith("grep") ? pattern : undefined;
}
