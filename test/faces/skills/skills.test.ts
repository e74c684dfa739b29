import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, test } from "vitest";
import type { NextStep } from "../../../src/contract/operation.ts";
import { parseInput } from "../../../src/daemon/parse-input.ts";
import type { Phase, Rule } from "../../../src/faces/skills/phases.ts";
import { allSkills, callIn, callsOf, filledIn, type Skill } from "../../../src/faces/skills/skill.ts";
import { callWriter, fileIn, hostWords } from "../../../src/faces/skills/words.ts";
import { OfferedTools } from "../../../src/faces/tools/profiles.ts";
import { skillOperations } from "../../../src/operations/compat/skill-operations.ts";
import { operations } from "../../../src/operations/index.ts";
import { REPOSITORY } from "../../support/repository.ts";

const skills = await allSkills();
const offered = new OfferedTools({ withCheck: true });
const named = skills.map((skill) => [skill.name, skill] as const);
const bound = skills.flatMap(({ name, phases }) => (phases ? [[name, phases] as const] : []));

const maxLines = 60;
const maxTokens = 900;

/** The values of the capital words of a call. */
const samples: Readonly<Record<string, string>> = {
	FILE: "src/greet.ts",
	DIRECTORY: "src",
	SYMBOL: "greet",
	NEW_NAME: "welcome",
	OLD_TEXT: "hello",
	NEW_TEXT: "welcome",
	TEXT: "1 + 1",
	CODE: "function greet() {}",
	CONTENT: "export {};\n",
	PATCH: "--- a/a\n+++ b/a\n",
	SESSION: "s4f1c2a9be07d3158",
	NAME: "sum",
	TITLE: "Add import",
	BASE: "main",
	TEST_FILE: "src/greet.test.ts",
	LINE: "3",
	END_LINE: "4",
};

function operationOf({ operation }: NextStep) {
	const found = operations.find(({ name }) => name === operation);
	if (!found) throw new Error(`There is no operation ${operation}.`);
	return found;
}

test("the skills are those of the specification, the audit of concurrency, and two of pi-lsp's own", () => {
	const ours =
		"architecture concurrency-audit cross-repo dead-code docs edit-export edit-symbol explore extract-function fix-all";
	const more = "format-code generate green impact implement inspect local-symbols onboard refactor rename review";
	const rest = "safe-edit simulate test-correlation understand verify";
	const names = [ours, more, rest].flatMap((words) => words.split(" ")).map((name) => `lsp-${name}`);
	expect(skills.map(({ name }) => name)).toEqual(names);
});

describe.each(named)("%s", (name, skill: Skill) => {
	const text = readFileSync(join(REPOSITORY, "skills", name, "SKILL.md"), "utf8");

	test("has the frontmatter that agentskills.io describes", () => {
		const [, head = ""] = /^---\n(.*?)\n---\n\n# \S/s.exec(text) ?? [];
		const keys = [...head.matchAll(/^(\S+):/gm)].map(([, key]) => key);
		expect(keys.every((key) => ["name", "description", "license", "metadata"].includes(key ?? ""))).toBe(true);
		expect(head).toContain(`name: ${name}\n`);
		expect(name).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
		expect(name.length).toBeLessThanOrEqual(64);
		expect(skill.description.length).toBeGreaterThan(60);
		expect(skill.description.length).toBeLessThanOrEqual(1024);
		// A colon would make a plain YAML value a mapping.
		expect(skill.description).not.toMatch(/: |#|^["'&*!|>%@`]/);
		expect(skill.description).toMatch(/Use it /);
	});

	test("has at most 60 lines and, in the words of every host, 900 tokens", () => {
		expect(text.trimEnd().split("\n").length).toBeLessThanOrEqual(maxLines);
		for (const words of hostWords) {
			const tokens = encode(fileIn(skill, words)).length;
			expect(tokens, words).toBeLessThanOrEqual(maxTokens);
		}
	});

	test("has steps, each with a call, and every call is one that its operation takes", () => {
		const calls = callsOf(skill);
		expect(calls.length).toBeGreaterThanOrEqual(3);
		for (const call of calls) {
			const filled = filledIn(call, samples);
			expect(() => parseInput(operationOf(call), filled.input), JSON.stringify(call)).not.toThrow();
			expect(JSON.stringify(filled), "a capital word has no sample").not.toMatch(/"[A-Z][A-Z_]+"/);
		}
	});

	test("is written for each host in calls that its tools take", () => {
		const calls = callsOf(skill);
		const isReading = calls.every((call) => operationOf(call).effect === "read");
		for (const words of [
			"core",
			"all",
			"agent-lsp",
			"sah",
			"llxprt",
			...(isReading ? (["read"] as const) : []),
		] as const)
			for (const call of calls) {
				const written = callWriter(words)(filledIn(call, samples)).split("`")[0] ?? "";
				const [, tool = "", args = "{}"] = /^(\S+) (\{.*\})$/s.exec(written) ?? [];
				const input = JSON.parse(args) as Record<string, unknown>;
				const parsed = offered.called(tool, input, words)?.parse(input, { cwd: "/project" });
				const [given] = parsed?.inputs ?? [];
				expect(() => parseInput(operationFor(parsed?.operation), given), written).not.toThrow();
			}
	});

	test("is complete in the words of the shell, without a word of a host's tools", () => {
		expect(text).not.toMatch(/lsp_|mcp__|\{"/);
	});
});

function operationFor(name = "") {
	return operationOf({ operation: name, input: {}, why: "" });
}

describe.each(bound)("the phases of %s", (name, phases: readonly Phase[]) => {
	const skill = skills.find((each) => each.name === name) as Skill;
	const host = ["edit", "write", "bash"];
	const tools = [...operations.map((operation) => operation.name), ...host];

	test("name existing tools", () => {
		const rules = phases.flatMap(({ allow, advance }): readonly Rule[] => [...allow, ...advance]);
		for (const tool of rules.flatMap((rule) => rule.tool.split("|"))) expect(tools).toContain(tool);
		for (const { name: phase, purpose } of phases) {
			expect(phase).toMatch(/^[a-z]+$/);
			expect(purpose).toMatch(/^[a-z].*[^.]$/);
		}
	});

	test("advance by a call that its operation takes", () => {
		for (const { next } of phases) {
			const call = filledIn(callIn(next), samples);
			expect(() => parseInput(operationOf(call), call.input), next).not.toThrow();
		}
	});

	test("can all be passed with the calls that the skill shows", () => {
		const calls = callsOf(skill).map(({ operation }) => operation);
		for (const { name: phase, advance } of phases.filter(({ advance }) => advance.length > 0)) {
			const ways = advance.flatMap(({ tool }) => tool.split("|"));
			expect(
				ways.some((way) => calls.includes(way)),
				phase,
			).toBe(true);
		}
	});
});

test("every writing operation is bound, and so is the proof that work is done", () => {
	const counts = Object.fromEntries(bound.map(([name, { length }]) => [name, length]));
	expect(counts).toMatchObject({ "lsp-rename": 3, "lsp-refactor": 5, "lsp-safe-edit": 4, "lsp-verify": 5 });
	const writing = skills.filter((skill) =>
		callsOf(skill).some((call) => {
			const { effect, name } = operationOf(call);
			return effect === "write" && name !== "undo" && !("dry_run" in call.input);
		}),
	);
	expect(bound.map(([name]) => name)).toEqual([...writing.map(({ name }) => name), "lsp-verify"].sort());
});

test("agent-lsp's list of skills has the calls of each of them", () => {
	const called = skills.map((skill) => {
		const names = callsOf(skill).map(({ operation }) => operation);
		return [skill.name, [...new Set(names)].sort().join(" ")] as const;
	});
	expect(skillOperations).toEqual(Object.fromEntries(called));
});

test("each folder of skills is a skill", () => {
	expect(readdirSync(join(REPOSITORY, "skills")).sort()).toEqual(skills.map(({ name }) => name));
});
