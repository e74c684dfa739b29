import { Value } from "@sinclair/typebox/value";
import { afterAll, describe, expect, test } from "vitest";
import { parseInput } from "../src/daemon/parse-input.ts";
import { helpFor } from "../src/faces/cli-help.ts";
import { inputOf, optionsOf } from "../src/faces/cli-input.ts";
import type { CheckReport } from "../src/findings.ts";
import type { AnyOperation } from "../src/operation.ts";
import { operations } from "../src/operations/index.ts";
import { withProject } from "./diagnostics/project.ts";
import { withWorkspace } from "./support/workspace.ts";

/** The part of TypeBox 1.x, which pi brings for extensions, that is used here. */
interface HostTypebox {
	Check(schema: object, value: unknown): boolean;
	Errors(schema: object, value: unknown): Iterable<object>;
}
const host = ((await import("typebox/value" as string)) as { Value: HostTypebox }).Value;

const named = operations.map((operation) => [operation.name, operation] as const);

function everySchema(schema: unknown): Record<string, unknown>[] {
	if (typeof schema !== "object" || schema === null) return [];
	if (Array.isArray(schema)) return schema.flatMap(everySchema);
	return [schema as Record<string, unknown>, ...Object.values(schema).flatMap(everySchema)];
}

test("names are unique words, titles and descriptions are there", () => {
	expect(new Set(operations.map(({ name }) => name)).size).toBe(operations.length);
	for (const { name, title, description, effect } of operations) {
		expect(name).toMatch(/^[a-z][a-z_]*$/);
		expect(title).toMatch(/^[A-Z]/);
		expect(description).toMatch(/^[A-Z][\s\S]*\.$/);
		expect(["read", "write", "control"]).toContain(effect);
	}
});

describe.each(named)("%s", (_, operation: AnyOperation) => {
	test("describes each of its inputs", () => {
		for (const [name, { description }] of Object.entries(operation.input.properties))
			expect(description, name).toMatch(/\w{3}/);
	});

	test("has positional words that are inputs; only the last may be a list", () => {
		const { positional = [], input } = operation;
		for (const [index, name] of positional.entries()) {
			expect(Object.keys(input.properties)).toContain(name);
			if (input.properties[name]?.type === "array") expect(index).toBe(positional.length - 1);
		}
	});

	test("has an example that fits its own schemas", () => {
		expect(() => parseInput(operation, operation.example.input)).not.toThrow();
		expect([...Value.Errors(operation.output, operation.example.output)]).toEqual([]);
	});

	test("has an example that fits them under the host's TypeBox as well", () => {
		for (const [schema, value] of [
			[operation.input, operation.example.input],
			[operation.output, operation.example.output],
		] as const) {
			for (const form of [schema, JSON.parse(JSON.stringify(schema)) as object]) {
				expect([...host.Errors(form, value)]).toEqual([]);
				expect(host.Check(form, value)).toBe(true);
			}
			expect(host.Check(schema, "no object")).toBe(false);
		}
	});

	test("has schemas that every model's API takes: no unions, no constants, no lists of types", () => {
		for (const schema of [operation.input, operation.output])
			for (const part of everySchema(JSON.parse(JSON.stringify(schema)))) {
				for (const word of ["anyOf", "oneOf", "allOf", "const", "$ref"]) expect(Object.keys(part)).not.toContain(word);
				expect(Array.isArray(part.type)).toBe(false);
				if (part.enum !== undefined && Array.isArray(part.enum)) expect(part.type).toBe("string");
			}
	});

	test("refuses what it does not know and what is of the wrong kind", () => {
		const known = operation.example.input as object;
		expect(() => parseInput(operation, { ...known, frob: 1 })).toThrow(
			expect.objectContaining({ code: "LSP_INVALID_INPUT" }),
		);
		for (const name of Object.keys(operation.input.properties))
			expect(() => parseInput(operation, { ...known, [name]: { no: "value" } }), name).toThrow(
				expect.objectContaining({ code: "LSP_INVALID_INPUT", message: expect.stringContaining(name) }),
			);
		for (const raw of ["x", 5, [], true])
			expect(() => parseInput(operation, raw), JSON.stringify(raw)).toThrow(
				expect.objectContaining({ code: "LSP_INVALID_INPUT" }),
			);
	});

	test("shows description, words, options and example in its help", () => {
		const help = helpFor(operation);
		expect(help).toContain(operation.description);
		expect(help).toContain(`Example: pi-lsp ${operation.name}`);
		for (const name of Object.keys(operation.input.properties))
			expect(help).toContain(operation.positional?.includes(name) ? name.toUpperCase() : `--${name}`);
		for (const line of operation
			.render(operation.example.output as never, operation.example.input as never)
			.split("\n"))
			expect(help).toContain(line);
	});

	test("takes on the command line what its example shows there", () => {
		const line = /^Example: pi-lsp (.*)$/m.exec(helpFor(operation))?.[1] ?? "";
		const [, ...words] = line.split(" ");
		expect(inputOf(operation, {}, words)).toEqual(operation.example.input);
		for (const name of Object.keys(operation.input.properties))
			expect(Object.keys(optionsOf(operation))).toContain(name);
	});
});

test("examples read as a person would like to read them", () => {
	expect(
		Object.fromEntries(
			operations.map(({ name, example, render }) => [name, render(example.output as never, example.input as never)]),
		),
	).toMatchInlineSnapshot(`
		{
		  "capabilities": "typescript 7.0.2
		  supports: hover, definition
		  does not support: types
		  offers: definition, hover",
		  "check": "The edit was applied. LSP errors detected in this file, please fix:
		<diagnostics file="src/app.ts">
		ERROR [3:7] Type 'string' is not assignable to type 'number'. (ts2322)
		</diagnostics>",
		  "close": "Closed 1 file:
		  src/app.ts (typescript)",
		  "definition": "1 definition in 1 file
		src/greet.ts
		  1: export function greet(name: string): string {",
		  "diagnostics": "<diagnostics file="src/app.ts">
		ERROR [3:7] Type 'string' is not assignable to type 'number'. (ts2322)
		</diagnostics>",
		  "doctor": "/project: 57 files
		node v20.19.0, not trusted: nothing that the repository brings is run

		  typescript    42  typescript, eslint
		  python         9  pyright

		typescript 7.0.2: running, pull
		  runs tsc --lsp --stdio
		  answers check, diagnostics, hover, definition, references, symbols

		eslint: not trusted, linter
		  it runs what the repository brings
		  It may run once you run \`pi-lsp trust add\` if you trust this repository.

		pyright: missing, pull as declared
		  Install it: pi-lsp install pyright, or npm install -g pyright

		Needed:
		  npm: /usr/bin/npm (pyright)",
		  "files_changed": "Told 1 server.",
		  "folders": "gopls: ., tools",
		  "hover": "\`\`\`typescript
		(alias) function greet(name: string): string
		\`\`\`
		Says hello.",
		  "log_level": "The log holds stderr from now on.",
		  "open": "Opened 1 file:
		  src/app.ts (typescript)",
		  "references": "2 references in 1 file
		src/app.ts
		  1: import { greet } from "./greet.ts";
		  3: console.log(greet("world"));",
		  "restart": "Stopped 1 server; the next question starts them afresh.",
		  "servers": "typescript: 42 files (typescript)
		  typescript: running (7.0.2, pull)",
		  "start": "typescript 7.0.2 in .: ready after 61 ms",
		  "status": "daemon: pid 4242, up 1 min, 58 MB
		typescript 7.0.2: active, pid 4250, 95 MB, up 1 min, 3 open, pull, /project",
		  "symbols": "function greet  1-3",
		}
	`);
});

test("`pi-lsp NAME --help` and `pi-lsp --help` show them to a person", () =>
	withWorkspace({}, async (ws) => {
		const overview = await ws.cli(["--help"]);
		expect(overview.code).toBe(0);
		for (const operation of operations) {
			expect(overview.stdout).toContain(operation.title);
			const help = await ws.cli([operation.name, "--help"]);
			expect(help.code).toBe(0);
			expect(help.stdout.trimEnd()).toBe(helpFor(operation));
		}
	}));

describe("on a real project every question has the same answer in this process and through the daemon", () => {
	const files = {
		"src/greet.ts": "/** Says hello. */\nexport function greet(name: string): string {\n\treturn name;\n}\n",
		"src/app.ts":
			'import { greet } from "./greet.ts";\n\nconst loud: number = greet("you");\nconsole.log(greet("world"), loud);\n',
	};
	const questions: Readonly<Record<string, readonly [readonly string[], object]>> = {
		check: [["src/app.ts", "--scope", "affected"], { files: ["src/app.ts"], scope: "affected" }],
		diagnostics: [["src/app.ts"], { file: "src/app.ts" }],
		hover: [["src/app.ts", "greet"], { file: "src/app.ts", symbol: "greet" }],
		definition: [["src/app.ts", "greet"], { file: "src/app.ts", symbol: "greet" }],
		references: [
			["src/greet.ts", "greet", "--declaration"],
			{ file: "src/greet.ts", symbol: "greet", declaration: true },
		],
		symbols: [["src/greet.ts"], { file: "src/greet.ts" }],
		capabilities: [["src/greet.ts"], { file: "src/greet.ts" }],
		servers: [[], {}],
	};
	/** How long it took is nobody's promise. */
	const timeless = (output: unknown): unknown =>
		JSON.parse(JSON.stringify(output, (key, value: unknown) => (key === "ms" ? 0 : value)));
	const answers = new Map<string, unknown>();
	afterAll(() => answers.clear());

	test("every question of a reader is asked here", () => {
		const readers = operations.filter(({ effect }) => effect === "read").map(({ name }) => name);
		expect(Object.keys(questions).sort()).toEqual(readers.sort());
	});

	test("as data, which fits the operation's schema", () =>
		withProject(files, async (project) => {
			for (const [name, [words, input]] of Object.entries(questions)) {
				const operation = operations.find((candidate) => candidate.name === name) as AnyOperation;
				const here = await project.call<object>(name, input);
				expect([...Value.Errors(operation.output, here)], name).toEqual([]);
				const there = await project.ws.cli([name, ...words, "--json"]);
				expect(timeless(JSON.parse(there.stdout)), name).toEqual(timeless(here));
				const text = await project.ws.cli([name, ...words]);
				expect(text.stdout, name).toContain(operation.render(here as never, input as never));
				answers.set(name, timeless(here));
			}
			const { files: checked } = answers.get("check") as CheckReport;
			expect(checked[0]?.diagnostics).toMatchObject([{ line: 3, column: 7, code: "2322" }]);
			expect(answers.get("hover")).toMatchObject({ text: expect.stringContaining("Says hello.") });
			expect(answers.get("definition")).toMatchObject({ places: [{ path: "src/greet.ts", line: 2 }] });
			expect(answers.get("references")).toMatchObject({ total: 4 });
			expect(answers.get("symbols")).toMatchObject({ symbols: [{ name: "greet", kind: "function" }] });
		}));
});
