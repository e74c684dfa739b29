import { Value } from "@sinclair/typebox/value";
import { afterAll, describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import type { AnyOperation, NextStep } from "../../src/contract/operation.ts";
import { parseInput } from "../../src/daemon/parse-input.ts";
import { helpFor } from "../../src/faces/cli/help.ts";
import { inputOf, optionsOf, parseWords } from "../../src/faces/tools/command-line.ts";
import { answerText, commandLine } from "../../src/faces/tools/format-answer.ts";
import { optionName } from "../../src/faces/tools/option-mistake.ts";
import type { DetectedChanges } from "../../src/operations/detect-changes.ts";
import { operations } from "../../src/operations/index.ts";
import { git } from "../changes/repository.ts";
import { withProject } from "../diagnostics/project.ts";
import { withWorkspace } from "../support/workspace.ts";
import { everySchema } from "./every-schema.ts";

/** The part of TypeBox 1.x, which pi brings for extensions, that is used here. */
interface HostTypebox {
	Check(schema: object, value: unknown): boolean;
	Errors(schema: object, value: unknown): Iterable<object>;
}
const host = ((await import("typebox/value" as string)) as { Value: HostTypebox }).Value;

const named = operations.map((operation) => [operation.name, operation] as const);

test("every operation has a unique name, a title and a description", () => {
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

	test("has positional arguments that are inputs, of which only the last may be a list", () => {
		const { positional = [], input } = operation;
		for (const [index, name] of positional.entries()) {
			expect(Object.keys(input.properties)).toContain(name);
			if (input.properties[name]?.type === "array") expect(index).toBe(positional.length - 1);
		}
	});

	test("refuses a text that is too long in any of its inputs", () => {
		for (const [name, { type, contentMediaType, items }] of Object.entries(operation.input.properties)) {
			const long = "x".repeat((contentMediaType ?? items?.contentMediaType) === undefined ? 100_000 : 17_000_000);
			const given = { ...(operation.example.input as object), [name]: type === "array" ? [long] : long };
			expect(() => parseInput(operation, given), name).toThrow(/LSP_INVALID_INPUT|Expected/);
		}
	});

	test("has an example that fits its own schemas", () => {
		expect(() => parseInput(operation, operation.example.input)).not.toThrow();
		expect([...Value.Errors(operation.output, operation.example.output)]).toEqual([]);
	});

	test("has an example that fits its schemas with the host's TypeBox", () => {
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

	test("has schemas that every model's API accepts: no unions, no constants, no lists of types", () => {
		for (const schema of [operation.input, operation.output])
			for (const part of everySchema(JSON.parse(JSON.stringify(schema)))) {
				for (const word of ["anyOf", "oneOf", "allOf", "const", "$ref"]) expect(Object.keys(part)).not.toContain(word);
				expect(Array.isArray(part.type)).toBe(false);
				if (part.enum !== undefined && Array.isArray(part.enum)) expect(part.type).toBe("string");
			}
	});

	test("refuses unknown inputs and inputs of a wrong type", () => {
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

	test("shows description, arguments, options and example in its help", () => {
		const help = helpFor(operation);
		expect(help).toContain(operation.description);
		expect(help).toContain(`Example: pi-lsp ${operation.name}`);
		for (const name of Object.keys(operation.input.properties))
			expect(help).toContain(operation.positional?.includes(name) ? name.toUpperCase() : optionName(name));
		for (const line of operation
			.render(operation.example.output as never, operation.example.input as never)
			.split("\n"))
			expect(help).toContain(line);
	});

	test("takes on the command line the same as its example", () => {
		const line = /^Example: pi-lsp (.*)$/m.exec(helpFor(operation))?.[1] ?? "";
		const args = line
			.split(" ")
			.slice(1)
			.map((word) => word.replace(/^'(.*)'$/, "$1"));
		const { values, positionals } = parseWords(operation, args);
		expect(parseInput(operation, inputOf(operation, values, positionals))).toEqual(operation.example.input);
		for (const name of Object.keys(operation.input.properties))
			expect(Object.keys(optionsOf(operation))).toContain(name);
	});
});

test("the texts of all examples stay unchanged", () => {
	expect(
		Object.fromEntries(
			operations.map(({ name, example, render }) => [name, render(example.output as never, example.input as never)]),
		),
	).toMatchInlineSnapshot(`
		{
		  "activate_skill": "# Rename a symbol everywhere

		lsp-rename is active (block): phase "preview" of 3.
		May write: rename {"dry_run":true}.
		next: lsp_rename {"file":"src/greet.ts","symbol":"greet","new_name":"welcome","dry_run":true}",
		  "apply_code_action": "applied "Add import from "./greet.ts""
		1 file: src/app.ts
		--- a/src/app.ts
		+++ b/src/app.ts
		@@ -1,1 +1,2 @@
		+import { greet } from "./greet.ts";
		 greet();
		undo: u7",
		  "apply_edit": "changed: src/greet.ts
		1 file: src/greet.ts
		--- a/src/greet.ts
		+++ b/src/greet.ts
		@@ -1,1 +1,1 @@
		-const word = "hello";
		+const word = "welcome";
		undo: u7",
		  "apply_if_clean": "Nothing was written. It would cause 1 error (net +1). LSP errors detected in other files, 1 file:
		<diagnostics file="src/app.ts">
		ERROR [1:10] Module "./greet.ts" has no exported member 'greet'. (ts2305)
		</diagnostics>",
		  "architecture": ".: 12 sources (ts 12), 3 files of tests
		entry points:
		  src/cli/main.ts  bin shop
		folders, from the top down (files: what they load, most first):
		  src/cli 2: src/cart
		  src/cart 6: src/money
		  src/money 4
		most referred to:
		  function round  src/money/round.ts:3  7 files",
		  "build": "tsc --noEmit --pretty false failed after 0.8 s, exit code 2
		src/app.ts
		  3:7: in main: Type 'string' is not assignable to type 'number'. (TS2322)",
		  "calls": "greet  src/greet.ts:1
		1 caller
		main  src/app.ts:3
		  4: console.log(greet("world"));",
		  "capabilities": "typescript 7.0.2
		  supports: hover, definition
		  does not support: types
		  offers: definition, hover",
		  "check": "LSP errors detected in this file:
		<diagnostics file="src/app.ts">
		ERROR [3:7] Type 'string' is not assignable to type 'number'. (ts2322)
		</diagnostics>",
		  "close": "Closed 1 file:
		  src/app.ts (typescript)",
		  "code_actions": "2 actions
		Add import from "./greet.ts" [quickfix, preferred], for: Cannot find name 'greet'.
		Extract to function in module scope [refactor.extract.function]",
		  "compare": "1: 1 new, 0 mended, net +1
		  src/app.ts [1:10] Module "./greet.ts" has no exported member 'greet'.
		2: 0 new, 0 mended, net 0
		Best: 2. Nothing was written.",
		  "completion": "method:
		  greet  (method) User.greet(): string
		property:
		  name",
		  "context": "tag 3f2a9c01b7de
		declares:
		  function greet  1-3
		imports:
		  import { polite } from "./words.ts";
		used by:
		  greet: src/app.ts 2
		calls:
		  src/words.ts: polite 4
		1 test file
		named after it, imports it:
		  test/greet.test.ts",
		  "cross_repo": "greet  src/greet.ts:1 of greeter 2.0.0; 1 use in the library itself

		../shop: 2 uses in 2 files, 1 of them in tests
		../shop/src/main.ts
		  1: import { greet } from "greeter";
		tests:
		../shop/test/main.test.ts
		  4: greet("x");

		../old uses greeter 1.2.0 in ../old/node_modules/greeter, not this checkout: 1 use in 1 file
		../old/index.ts
		  1: import { greet } from "greeter";",
		  "deactivate_skill": "lsp-rename is not active any more.",
		  "declaration": "1 declaration in 1 file
		include/greet.h
		  4: char *greet(const char *name);",
		  "definition": "1 definition in 1 file
		src/greet.ts
		  1: export function greet(name: string): string {",
		  "delete_symbol": "deleted: function greet
		1 file: src/greet.py
		--- a/src/greet.py
		+++ b/src/greet.py
		@@ -1,1 +0,0 @@
		-def greet(): pass
		Checked: nothing new is wrong.
		undo: u7",
		  "detect_changes": "1 symbol in 1 file since main
		src/greet.ts
		  1: signature function greet, exported",
		  "diagnostics": "<diagnostics file="src/app.ts">
		ERROR [3:7] Type 'string' is not assignable to type 'number'. (ts2322)
		</diagnostics>",
		  "doctor": "/project: 57 files
		node v20.19.0, not trusted: nothing that the repository brings is run
		sandbox: servers of trees that are not trusted run in one, by /usr/bin/bwrap

		  typescript    42  typescript, eslint
		  python         9  pyright

		typescript 7.0.2: running, pull, sandboxed
		  runs tsc --lsp --stdio
		  answers check, diagnostics, hover, definition, references, symbols

		eslint: not trusted, linter
		  it runs what the repository brings
		  It may run once a person who trusts this repository runs \`pi-lsp trust add\`.

		pyright: missing, pull as declared
		  Install it: pi-lsp install pyright, or npm install -g pyright

		Needed:
		  npm: /usr/bin/npm (pyright)",
		  "documentation": "\`\`\`typescript
		(alias) function greet(name: string): string
		\`\`\`
		Says hello.",
		  "execute_command": "result: {"Packages":["fmt"]}",
		  "explore": "function greet  src/greet.ts:1-3
		\`\`\`typescript
		function greet(name: string): string
		\`\`\`
		Says hello.
		source:
		export function greet(name: string): string {
			return name;
		}
		1 caller:
		src/app.ts
		  4 main: console.log(greet("world"));
		5 references in 2 files: src/app.ts 2
		tests: test/greet.test.ts 3",
		  "extract": "extracted twice: Extract to constant in enclosing scope
		1 file: src/sum.ts
		--- a/src/sum.ts
		+++ b/src/sum.ts
		@@ -2,1 +2,2 @@
		-	return a*2 + 1;
		+	const twice = a*2;
		+	return twice + 1;
		undo: u7",
		  "files_changed": "Notified 1 server.",
		  "find": "src/greet.ts:1: function greet",
		  "fix": "fixed 1 diagnostic: Add import from "./greet.ts"
		1 file: src/app.ts
		--- a/src/app.ts
		+++ b/src/app.ts
		@@ -1,1 +1,2 @@
		+import { greet } from "./greet.ts";
		 greet();
		undo: u7",
		  "folders": "gopls: ., tools",
		  "folding": "1 block
		1-3: export function greet(name: string): string {",
		  "format": "formatted src/app.ts
		1 file: src/app.ts
		--- a/src/app.ts
		+++ b/src/app.ts
		@@ -1,1 +1,1 @@
		-const a=1
		+const a = 1;
		undo: u7",
		  "get_skill_phase": "lsp-rename is active (block): phase "preview" of 3.
		May write: rename {"dry_run":true}.
		next: lsp_rename {"file":"src/greet.ts","symbol":"greet","new_name":"welcome","dry_run":true}",
		  "highlights": "2 uses, 1 write (marked =)
		= 3: const loud = greet("you");
		  4: console.log(loud);",
		  "hover": "\`\`\`typescript
		(alias) function greet(name: string): string
		\`\`\`
		Says hello.",
		  "impact": "1 symbol
		medium: function greet  src/greet.ts:1, exported
		  1 caller in 1 file, 1 test reaches it
		  used by:
		    main  src/app.ts:4: console.log(greet("world"));
		  tests:
		    test/greet.test.ts:4 greets
		  may reach:
		    src/cli.ts (through main)",
		  "implementation": "2 implementations in 2 files, 1 of them in tests
		src/file-store.ts
		  4: export class FileStore implements Store {
		tests:
		test/store.test.ts
		  9: class FakeStore implements Store {",
		  "inlay_hints": "2 hints
		3: const loud«: string» = greet(«name:»"you");",
		  "inline": "inlined twice: Inline variable
		1 file: src/sum.ts
		--- a/src/sum.ts
		+++ b/src/sum.ts
		@@ -2,2 +2,1 @@
		-	const twice = a * 2;
		-	return twice + 1;
		+	return a * 2 + 1;
		undo: u7",
		  "insert_after": "inserted after function greet
		1 file: src/greet.py
		--- a/src/greet.py
		+++ b/src/greet.py
		@@ -1,1 +1,2 @@
		 def greet(): pass
		+hello=greet
		Checked: nothing new is wrong.
		undo: u7",
		  "insert_before": "inserted before function greet
		1 file: src/greet.py
		--- a/src/greet.py
		+++ b/src/greet.py
		@@ -1,1 +1,2 @@
		+hello=greet
		 def greet(): pass
		Checked: nothing new is wrong.
		undo: u7",
		  "log_level": "The log holds stderr from now on.",
		  "move_file": "moved src/greet.ts → src/lib/greet.ts · 1 place follows
		2 files: src/app.ts, src/lib/greet.ts
		rename from src/greet.ts
		rename to src/lib/greet.ts
		--- a/src/app.ts
		+++ b/src/app.ts
		@@ -1,1 +1,1 @@
		-import { greet } from "./greet.ts";
		+import { greet } from "./lib/greet.ts";
		undo: u7",
		  "move_symbol": "moved loud → src/loud.ts
		2 files: src/greet.ts, src/loud.ts
		--- a/src/greet.ts
		+++ b/src/greet.ts
		@@ -1,2 +1,1 @@
		-export const loud = true;
		 export function greet(): void {}
		--- /dev/null
		+++ b/src/loud.ts
		@@ -0,0 +1,1 @@
		+export const loud = true;
		undo: u7",
		  "open": "Opened 1 file:
		  src/app.ts (typescript)",
		  "organize_imports": "imports organized in src/app.ts
		1 file: src/app.ts
		--- a/src/app.ts
		+++ b/src/app.ts
		@@ -1,2 +1,1 @@
		-import { none } from "./none.ts";
		 greet();
		undo: u7",
		  "prepare_rename": "greet at 1:17 can be renamed.",
		  "preview": "Nothing was written. It would cause 1 error (net +1). LSP errors detected in other files, 1 file:
		<diagnostics file="src/app.ts">
		ERROR [1:10] Module "./greet.ts" has no exported member 'greet'. (ts2305)
		</diagnostics>",
		  "references": "3 references in 2 files, 1 of them in tests
		src/app.ts
		  1: import { greet } from "./greet.ts";
		  3: console.log(greet("world"));
		tests:
		test/greet.test.ts
		  5: expect(greet("x")).toBe("x");",
		  "rename": "renamed greet → welcome · 3 places in 2 files
		2 files: src/app.ts, src/greet.ts
		--- a/src/greet.ts
		+++ b/src/greet.ts
		@@ -1,1 +1,1 @@
		-export function greet(): void {}
		+export function welcome(): void {}
		Checked: nothing new is wrong.
		undo: u7",
		  "rename_file": "moved src/greet.ts → src/lib/greet.ts · 1 place follows
		2 files: src/app.ts, src/lib/greet.ts
		rename from src/greet.ts
		rename to src/lib/greet.ts
		--- a/src/app.ts
		+++ b/src/app.ts
		@@ -1,1 +1,1 @@
		-import { greet } from "./greet.ts";
		+import { greet } from "./lib/greet.ts";
		undo: u7",
		  "replace_symbol": "replaced: function greet
		1 file: src/greet.py
		--- a/src/greet.py
		+++ b/src/greet.py
		@@ -1,1 +1,1 @@
		-def greet(): pass
		+greet=print
		Checked: nothing new is wrong.
		undo: u7",
		  "restart": "Stopped 1 server; the next question starts them afresh.",
		  "semantic_tokens": "2 tokens
		3: loud variable.declaration.readonly, greet function",
		  "servers": "typescript: 42 files (typescript)
		  typescript: running (7.0.2, pull)",
		  "signature": "greet(name: string): string
		line 3, parameter 1: name: string
		Says hello.",
		  "simulate_begin": "session s4f1c2a9be07d3158 in /project",
		  "simulate_chain": "1. Nothing was written. It would cause 1 error (net +1). LSP errors detected in other files, 1 file:
		<diagnostics file="src/app.ts">
		ERROR [1:10] Module "./greet.ts" has no exported member 'greet'. (ts2305)
		</diagnostics>
		No step is proven to break nothing.",
		  "simulate_commit": "--- a/src/greet.ts
		+++ b/src/greet.ts
		@@ -1,1 +1,1 @@
		-const word = "hello";
		+const word = "welcome";",
		  "simulate_discard": "All edits of the session are dropped.",
		  "simulate_edit": "Edit 1. Differing from the disk: src/greet.ts",
		  "simulate_end": "The session has ended.",
		  "simulate_evaluate": "Nothing was written. It would cause 1 error (net +1). LSP errors detected in other files, 1 file:
		<diagnostics file="src/app.ts">
		ERROR [1:10] Module "./greet.ts" has no exported member 'greet'. (ts2305)
		</diagnostics>",
		  "source": "function greet  src/greet.ts:1-3
		export function greet(name: string): string {
			return name;
		}",
		  "start": "typescript 7.0.2 in .: ready after 61 ms",
		  "status": "daemon: pid 4242, up 1 min, 58 MB
		typescript 7.0.2: active, pid 4250, 95 MB, up 1 min, 3 open, pull, /project",
		  "symbols": "function greet  1-3",
		  "test": "npm test -- test/greet.test.ts failed after 1.9 s, exit code 1: 1 test failed, 3 passed
		test/greet.test.ts
		  5: greet > is polite: expected 'hi' to be 'hello'",
		  "tests_for": "1 test file
		named after it, imports it:
		  test/greet.test.ts",
		  "type_definition": "1 type definition in 1 file
		src/person.ts
		  3: export interface Person {",
		  "types": "Shape  shapes.go:3
		1 subtype
		Circle  circle.go:5",
		  "undo": "taken back: rename greet → welcome
		1 file: src/greet.ts
		--- a/src/greet.ts
		+++ b/src/greet.ts
		@@ -1,1 +1,1 @@
		-export function welcome(): void {}
		+export function greet(): void {}
		undo: u8",
		  "unused": "Of 4 symbols in 1 file 1 are unused.
		certain:
		  function shout  src/greet.ts:7",
		  "verify": "Not good: 1 file differs from main; 3 files were checked.
		new errors:
		  src/app.ts:3:7 Expected 2 arguments, but got 1. (2554)
		No test reaches what differs.",
		  "workspace_symbols": "1 symbol like "greet"
		src/greet.ts
		  1: function greet",
		}
	`);
});

test("`pi-lsp --help` and `pi-lsp NAME --help` show every operation", { timeout: 300_000 }, () =>
	withWorkspace({}, async (ws) => {
		const overview = await ws.cli(["--help"]);
		expect(overview.code).toBe(0);
		for (const operation of operations) {
			expect(overview.stdout).toContain(operation.title);
			const help = await ws.cli([operation.name, "--help"]);
			expect(help.code).toBe(0);
			expect(help.stdout.trimEnd()).toBe(helpFor(operation));
		}
	}),
);

describe("every query about a real project", () => {
	const files = {
		"src/greet.ts": "/** Says hello. */\nexport function greet(name: string): string {\n\treturn name;\n}\n",
		"src/app.ts":
			'import { greet } from "./greet.ts";\n\nconst loud: number = greet("you");\nconsole.log(greet("world"), loud);\n',
		"src/people.ts":
			'export interface Named {\n\tname: string;\n}\nexport class Person implements Named {\n\tname = "x";\n}\nexport const someone = new Person();\nsomeone.name = greet("y");\n',
	};
	const candidates = ["name: number", "name: string | undefined"].map((next) => ({
		...{ file: "src/greet.ts", old_text: "name: string", new_text: next },
	}));
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
		workspace_symbols: [["greet"], { query: "greet" }],
		find: [["greet"], { symbol: "greet" }],
		source: [["src/app.ts", "greet", "--doc"], { file: "src/app.ts", symbol: "greet", doc: true }],
		explore: [["src/greet.ts", "greet"], { file: "src/greet.ts", symbol: "greet" }],
		context: [["src/greet.ts"], { file: "src/greet.ts" }],
		documentation: [["src/app.ts", "greet"], { file: "src/app.ts", symbol: "greet" }],
		tests_for: [["src/greet.ts"], { file: "src/greet.ts" }],
		detect_changes: [[], {}],
		architecture: [[], {}],
		// Other checkouts are queried in test/live/cross-repo.test.ts.
		cross_repo: [
			["src/greet.ts", "greet", "gone"],
			{ file: "src/greet.ts", symbol: "greet", consumer_roots: ["gone"] },
		],
		unused: [["src/greet.ts"], { path: "src/greet.ts" }],
		impact: [["src/greet.ts", "greet"], { files: ["src/greet.ts"], symbols: ["greet"] }],
		capabilities: [["src/greet.ts"], { file: "src/greet.ts" }],
		servers: [[], {}],
		type_definition: [["src/people.ts", "someone"], { file: "src/people.ts", symbol: "someone" }],
		implementation: [["src/people.ts", "Named"], { file: "src/people.ts", symbol: "Named" }],
		highlights: [["src/app.ts", "3:loud"], { file: "src/app.ts", symbol: "3:loud" }],
		calls: [
			["src/greet.ts", "greet", "--direction", "incoming"],
			{ file: "src/greet.ts", symbol: "greet", direction: "incoming" },
		],
		prepare_rename: [["src/greet.ts", "greet"], { file: "src/greet.ts", symbol: "greet" }],
		preview: [
			["src/greet.ts", "--old-text", "name: string", "--new-text", "name: number"],
			{ file: "src/greet.ts", old_text: "name: string", new_text: "name: number" },
		],
		compare: [candidates.flatMap((each) => ["--candidates", JSON.stringify(each)]), { candidates }],
		signature: [["src/app.ts", "greet"], { file: "src/app.ts", symbol: "greet" }],
		completion: [["src/people.ts", "someone.@@"], { file: "src/people.ts", symbol: "someone.@@" }],
		inlay_hints: [["src/app.ts", "4"], { file: "src/app.ts", line: 4 }],
		semantic_tokens: [["src/app.ts", "3"], { file: "src/app.ts", line: 3 }],
		folding: [["src/greet.ts"], { file: "src/greet.ts" }],
		code_actions: [["src/people.ts", "--line", "8"], { file: "src/people.ts", line: 8 }],
	};
	/** Operations that neither of the bundled servers answers. */
	const unanswered = ["declaration", "types"];
	/** Durations differ between two answers. */
	const timeless = (output: unknown): unknown =>
		JSON.parse(JSON.stringify(output, (key, value: unknown) => (key === "ms" ? 0 : value)));
	/** The next step in the form of the command line. */
	const asTyped = ({ operation, input }: NextStep) =>
		commandLine(operations.find(({ name }) => name === operation) as AnyOperation, input);
	const answers = new Map<string, unknown>();
	afterAll(() => answers.clear());

	test("is sent in this test if its effect is `read`", () => {
		const readers = operations.filter(({ effect }) => effect === "read").map(({ name }) => name);
		expect([...Object.keys(questions), ...unanswered].sort()).toEqual(readers.sort());
	});

	test(
		"has the same answer in process and through the daemon, and fits its schema",
		() =>
			withProject(files, async (project) => {
				git(project.ws, "init", "-q", ".");
				git(project.ws, "add", "src/greet.ts", "src/app.ts");
				git(project.ws, "commit", "-q", "-m", "first");
				for (const [name, [words, input]] of Object.entries(questions)) {
					const operation = operations.find((candidate) => candidate.name === name) as AnyOperation;
					const here = await project.call<object>(name, input);
					expect([...Value.Errors(operation.output, here)], name).toEqual([]);
					const there = await project.ws.cli([name, ...words, "--json"]);
					expect(timeless(JSON.parse(there.stdout)), name).toEqual(timeless(here));
					const text = await project.ws.cli([name, ...words]);
					expect(text.stdout.trimEnd(), name).toBe(answerText(operation, here, input, asTyped));
					answers.set(name, timeless(here));
				}
				const { files: checked } = answers.get("check") as CheckReport;
				expect(checked[0]?.diagnostics).toMatchObject([{ line: 3, column: 7, code: "2322" }]);
				expect(answers.get("hover")).toMatchObject({ text: expect.stringContaining("Says hello.") });
				expect(answers.get("definition")).toMatchObject({ places: [{ path: "src/greet.ts", line: 2 }] });
				expect(answers.get("references")).toMatchObject({ total: 4 });
				expect(answers.get("find")).toMatchObject({ candidates: [{ path: "src/greet.ts", line: 2, column: 17 }] });
				expect(answers.get("source")).toMatchObject({ path: "src/greet.ts", line: 1, endLine: 4 });
				expect(answers.get("symbols")).toMatchObject({ symbols: [{ name: "greet", kind: "function" }] });
				expect(answers.get("type_definition")).toMatchObject({
					places: [{ path: "src/people.ts", line: 4 }],
					total: 1,
				});
				expect(answers.get("implementation")).toMatchObject({ places: [{ path: "src/people.ts", line: 4 }], total: 1 });
				expect(answers.get("highlights")).toMatchObject({
					highlights: [
						{ line: 3, column: 7, kind: "write" },
						{ line: 4, column: 29, kind: "read" },
					],
				});
				expect(answers.get("calls")).toMatchObject({
					symbols: [{ name: "greet", kind: "function", path: "src/greet.ts", line: 2 }],
					incoming: {
						steps: [{ name: "(top level)", path: "src/app.ts", depth: 1, lines: [{ line: 3 }, { line: 4 }] }],
						omitted: 0,
					},
				});
				expect(answers.get("prepare_rename")).toEqual({ possible: true, name: "greet", line: 2, column: 17 });
				expect(answers.get("compare")).toMatchObject({
					candidates: [{ judgement: { new: 3 } }, { judgement: { new: 1 } }],
					best: 2,
				});
				expect(answers.get("preview")).toMatchObject({ new: 3, fixed: 0, netDelta: 3 });
				expect(answers.get("signature")).toMatchObject({
					signatures: [{ label: "greet(name: string): string", parameters: ["name: string"] }],
					parameter: 0,
					line: 3,
				});
				expect(answers.get("completion")).toMatchObject({ items: [{ label: "name" }], total: 1 });
				expect(answers.get("inlay_hints")).toMatchObject({
					hints: [{ line: 4, column: 19, kind: "parameter", text: 'console.log(greet(«name:»"world"), loud);' }],
				});
				expect(answers.get("semantic_tokens")).toMatchObject({
					tokens: [
						{ line: 3, column: 7, text: "loud", type: "variable", modifiers: ["declaration", "readonly"] },
						{ line: 3, column: 22, text: "greet", type: "function" },
					],
				});
				expect(answers.get("folding")).toMatchObject({ ranges: [{ line: 2, endLine: 3 }] });
				const { files: changed } = answers.get("detect_changes") as DetectedChanges;
				expect(changed.find(({ path }) => path === "src/people.ts")).toMatchObject({
					state: "added",
					symbols: [{ symbol: "Named" }, { symbol: "Person" }, { symbol: "someone" }],
				});
				expect(answers.get("impact")).toMatchObject({
					changed: [
						{
							symbol: "greet",
							callers: [{ file: "src/app.ts", line: 1, import: true }, { symbol: "loud" }, { line: 4, symbol: "" }],
						},
					],
				});
				expect(answers.get("code_actions")).toMatchObject({
					actions: [{ title: expect.stringContaining("./greet.ts"), kind: "quickfix", server: "typescript" }],
				});
			}),
		240_000,
	);

	test.each(unanswered)("is refused with the name of the server that does not answer `%s`", (name) =>
		withProject(files, async (project) => {
			const asked = project.call(name, { file: "src/people.ts", symbol: "Named" });
			await expect(asked).rejects.toMatchObject({
				code: "LSP_UNSUPPORTED_REQUEST",
				message: expect.stringContaining("typescript does not answer textDocument/"),
			});
			const there = await project.ws.cli([name, "src/people.ts", "Named"]);
			expect(there.code).not.toBe(0);
			expect(there.stderr).toContain("LSP_UNSUPPORTED_REQUEST: typescript does not answer");
		}),
	);
});
