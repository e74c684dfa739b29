import { expect } from "vitest";
import { allSkills } from "../../src/faces/skills/skill.ts";
import { commitAll } from "../changes/repository.ts";
import { type Files, TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../support/workspace.ts";

const greet = '/** Says hello. */\nexport function greet(name: string): string {\n\treturn "Hello, " + name;\n}\n';
const user = (name: string) =>
	`import { ${name} } from "./greet.ts";\n\nexport function main(): string {\n\treturn ${name}("you");\n}\n`;

/** TypeScript 5 has the refactorings that TypeScript 7 does not have yet. */
const project: Files = {
	...TYPESCRIPT_PROJECT,
	"package.json": `{ "name": "sample", "type": "module", "scripts": { "build": "node -e 0", "test": "node -e 0" }, "devDependencies": { "typescript": "~5.9.3" } }\n`,
	".pi-lsp.json": `{ "warmMs": 50000, "coldMs": 50000, "graceMs": 20000 }`,
	"src/greet.ts": greet,
	"src/app.ts": user("greet"),
	"src/greet.test.ts": `import { greet } from "./greet.ts";\n\nif (greet("a") !== "Hello, a") throw new Error("greet");\n`,
	"src/shape.ts": "export interface Shape {\n\tarea(): number;\n}\n",
	"src/square.ts": `import type { Shape } from "./shape.ts";\n\nexport class Square implements Shape {\n\tconstructor(readonly side: number) {}\n\tarea(): number {\n\t\treturn this.side * this.side;\n\t}\n}\n`,
};

/** A call in the text of a skill. */
export interface Call {
	readonly tool: string;
	readonly input: Record<string, unknown>;
	/** The arguments of the operation. */
	readonly name: string;
}

export interface Play {
	/** The values of the words that the skill leaves open. */
	readonly values?: Readonly<Record<string, string>>;
	readonly files?: Files;
	/** Files that are changed after the first commit. */
	readonly changed?: Files;
	/** True if the call belongs to this way through the skill; without it all do. */
	readonly takes?: (call: Call) => boolean;
	/** Calls that TypeScript's server does not answer, as the skill notes for some. */
	readonly unanswered?: string;
	/** Parts of the answers, each by the name of its operation. */
	readonly says?: Readonly<Record<string, RegExp>>;
	/** The files' content at the end. */
	readonly reads?: Readonly<Record<string, string | RegExp>>;
}

const greeting = { FILE: "src/greet.ts", SYMBOL: "greet" };
const changed = { "src/greet.ts": greet.replace("Hello", "Welcome") };
const exclaimed = greet.replace("name;", 'name + "!";');
const patch = [
	"--- a/src/greet.ts",
	"+++ b/src/greet.ts",
	"@@ -3,1 +3,1 @@",
	'-\treturn "Hello, " + name;',
	'+\treturn "Hello, " + name + "!";',
	"",
].join("\n");
const textEdit = { OLD_TEXT: "name;", NEW_TEXT: 'name + "!";' };
const unimported = 'export const said: string = greet("a");\n';
const imported = `import { greet } from "./greet.ts";\n\n${unimported}`;
const notUndo = ({ name }: Call) => name !== "undo";

export const plays: Readonly<Record<string, Play>> = {
	"lsp-verify": {
		values: greeting,
		changed,
		says: {
			detect_changes: /body function greet/,
			check: /clean|nothing|proven/i,
			build: /node -e 0|npm/,
			test: /npm/,
		},
	},
	"lsp-safe-edit": {
		values: { ...greeting, ...textEdit },
		takes: (call) => notUndo(call) && call.input.patch === undefined,
		says: { context: /greet/, preview: /Nothing was written/ },
		reads: { "src/greet.ts": exclaimed },
	},
	"lsp-simulate": {
		values: { ...greeting, ...textEdit },
		takes: ({ name }) => !["simulate_discard", "simulate_end"].includes(name),
		says: { simulate_commit: /\+\treturn "Hello, " \+ name \+ "!"/ },
		reads: { "src/greet.ts": exclaimed },
	},
	"lsp-impact": {
		values: greeting,
		says: { impact: /greet\.test\.ts/, references: /src\/app\.ts/, calls: /main/ },
	},
	"lsp-implement": {
		values: { FILE: "src/shape.ts", SYMBOL: "Shape" },
		unanswered: "types",
		says: { implementation: /src\/square\.ts/ },
	},
	"lsp-rename": {
		values: { ...greeting, NEW_NAME: "welcome" },
		takes: notUndo,
		reads: { "src/greet.ts": greet.replace("greet", "welcome"), "src/app.ts": user("welcome") },
	},
	"lsp-edit-symbol": {
		values: { ...greeting, CODE: "export function greet(name: string): string {\n\treturn name;\n}" },
		says: { find: /src\/greet\.ts/, source: /Hello/ },
		reads: { "src/greet.ts": /^\/\*\* Says hello\. \*\/\nexport function greet.*\n\treturn name;\n\}\n$/ },
	},
	"lsp-edit-export": {
		values: { ...greeting, PATCH: patch },
		says: { impact: /main/, preview: /Nothing was written/ },
		reads: { "src/greet.ts": exclaimed },
	},
	"lsp-dead-code": {
		values: { FILE: "src/dead.ts", SYMBOL: "unused" },
		files: { "src/dead.ts": "export const used = 1;\nexport function unused(): void {}\n" },
		says: { unused: /function unused/, delete_symbol: /-export function unused/, check: /clean|nothing|proven/i },
		reads: { "src/dead.ts": /unused/ },
	},
	"lsp-docs": {
		values: { FILE: "src/app.ts", SYMBOL: "greet" },
		says: { hover: /Says hello/, documentation: /Says hello/, definition: /src\/greet\.ts/ },
	},
	"lsp-format-code": {
		values: { FILE: "src/ugly.ts" },
		files: { "src/ugly.ts": "export const a=1\n" },
		reads: { "src/ugly.ts": /^export const a = 1/ },
	},
	"lsp-local-symbols": {
		values: greeting,
		says: { symbols: /function greet/, hover: /Says hello/, source: /Hello/ },
	},
	"lsp-cross-repo": {
		values: { ...greeting, DIRECTORY: "shop" },
		files: {
			"shop/package.json": '{ "name": "shop", "type": "module" }\n',
			"shop/main.ts": 'import { greet } from "../src/greet.ts";\n\ngreet("shop");\n',
		},
		says: { cross_repo: /shop\/main\.ts/, calls: /main/ },
	},
	"lsp-concurrency-audit": {
		values: { FILE: "src/counter.ts", SYMBOL: "Counter.add" },
		files: {
			"src/counter.ts": "export class Counter {\n\tcount = 0;\n\tadd(): void {\n\t\tthis.count += 1;\n\t}\n}\n",
			"src/later.ts": `import { Counter } from "./counter.ts";\n\nexport function later(counter: Counter): void {\n\tqueueMicrotask(() => counter.add());\n}\n`,
		},
		says: { calls: /later {2}src\/later\.ts:4 {2}by queueMicrotask/, source: /this\.count \+= 1/, impact: /later/ },
	},
	"lsp-test-correlation": {
		values: { ...greeting, TEST_FILE: "src/greet.test.ts" },
		changed,
		says: { tests_for: /src\/greet\.test\.ts/, impact: /greet\.test\.ts/, test: /npm/ },
	},
	"lsp-explore": { values: { FILE: "src/greet.ts", SYMBOL: "greet" }, says: { explore: /Says hello[\s\S]*app\.ts/ } },
	"lsp-understand": { values: greeting, says: { context: /greet/, explore: /app\.ts/, source: /Hello/ } },
	"lsp-refactor": {
		values: { ...greeting, PATCH: patch },
		takes: notUndo,
		says: { tests_for: /greet\.test\.ts/ },
		reads: { "src/greet.ts": exclaimed },
	},
	"lsp-extract-function": {
		values: {
			FILE: "src/square.ts",
			TEXT: "this.side * this.side",
			NAME: "product",
			TITLE: "method in class",
			LINE: "6",
			END_LINE: "6",
		},
		takes: ({ input }) => input.patch === undefined,
		reads: { "src/square.ts": /return this\.product\(\);/ },
	},
	"lsp-fix-all": {
		values: { FILE: "src/b.ts", LINE: "1" },
		files: { "src/b.ts": unimported },
		reads: { "src/b.ts": imported },
	},
	"lsp-generate": {
		values: {
			FILE: "src/circle.ts",
			LINE: "3",
			TITLE: "Implement interface",
			SYMBOL: "Circle.area",
			CODE: "area(): number {\n\treturn 3;\n}",
		},
		files: {
			"src/circle.ts": `import type { Shape } from "./shape.ts";\n\nexport class Circle implements Shape {\n}\n`,
		},
		takes: ({ input }) => input.content === undefined,
		reads: { "src/circle.ts": /area\(\): number \{\s+return 3;/ },
	},
	"lsp-inspect": { values: greeting, says: { symbols: /greet/, references: /app\.ts/ } },
	"lsp-architecture": {
		values: greeting,
		says: { architecture: /function greet/, servers: /typescript/, impact: /greet/ },
	},
	"lsp-onboard": { values: greeting, says: { servers: /typescript/, context: /greet/ } },
	"lsp-green": {
		values: { FILE: "src/b.ts", SYMBOL: "said" },
		files: { "src/b.ts": unimported },
		takes: ({ name }) => !["apply_if_clean", "undo"].includes(name),
		says: { diagnostics: /Cannot find name 'greet'/ },
		reads: { "src/b.ts": imported },
	},
	"lsp-review": {
		values: { ...greeting, BASE: "HEAD" },
		changed,
		says: { detect_changes: /body function greet/, impact: /main/, references: /app\.ts/, tests_for: /greet\.test/ },
	},
};

const bound = new Set((await allSkills()).filter(({ phases }) => phases).map(({ name }) => name));

/** The calls of a skill's text, with values for the words that it leaves open. */
function callsIn(text: string, values: Readonly<Record<string, string>>): Call[] {
	const calls = [...text.matchAll(/^ *`(lsp\w*) (\{.*\})`$/gm)];
	return calls.map(([, tool = "", written = ""]) => {
		const args = JSON.parse(written, (_, value: unknown) =>
			typeof value === "string" && Object.hasOwn(values, value) ? values[value] : value,
		) as Record<string, unknown>;
		if (tool !== "lsp") return { tool, input: args, name: tool.slice(4) };
		return { tool, input: (args.input ?? {}) as Record<string, unknown>, name: String(args.operation) };
	});
}

/** The answer to an agent. */
export interface Answer {
	readonly text: string;
	/** pi's model reads no such flag. */
	readonly isError?: boolean;
}

/** The project of a play, in which builds and tests may run. */
export function withPlay<T>(play: Play, body: (ws: Workspace, env: Record<string, string>) => Promise<T>): Promise<T> {
	return withWorkspace({ ...project, ...play.files }, async (ws) => {
		commitAll(ws);
		for (const [file, text] of Object.entries(play.changed ?? {})) ws.write(file, text);
		return body(ws, { PI_LSP_TRUST: "1" });
	});
}

/** The values of the skill's arguments in a play, in the order in which it names them. */
export async function argumentsOf(
	name: string,
	{ values = {} }: Play,
): Promise<readonly (readonly [string, string])[]> {
	const skill = (await allSkills()).find((each) => each.name === name);
	return (skill?.arguments ?? []).flatMap((word) => {
		const value = values[word];
		return value === undefined ? [] : [[word, value] as const];
	});
}

/** One way through a skill, from its activation to the query for its phase. */
export class PlayedSkill {
	readonly #name: string;
	readonly #play: Play;
	readonly #ws: Workspace;
	readonly #words: Record<string, string>;
	readonly #answers = new Map<string, string>();
	#phase = "";

	constructor(name: string, play: Play, ws: Workspace) {
		this.#name = name;
		this.#play = play;
		this.#ws = ws;
		this.#words = { ...play.values };
	}

	/** The calls of the text; each is answered before the next one is made. */
	*calls(text: string): Generator<Call, void, Answer> {
		const { takes = () => true } = this.#play;
		const isBound = bound.has(this.#name);
		if (isBound) yield control("activate_skill", { name: this.#name });
		for (const index of callsIn(text, {}).keys()) {
			const call = callsIn(text, this.#words)[index] as Call;
			if (call.name === "activate_skill" || !takes(call)) continue;
			this.#answered(call, yield call);
		}
		if (isBound) this.#phase = (yield control("get_skill_phase", {})).text;
	}

	#answered({ name, input }: Call, { text, isError = false }: Answer): void {
		this.#ws.record(`${name} ${JSON.stringify(input)}\n${text}`);
		expect(text).not.toContain("phase_violation");
		if (name === this.#play.unanswered) expect(text).toMatch(/LSP_UNSUPPORTED_REQUEST/);
		else expect(isError || /^LSP_[A-Z_]+:/.test(text), `${name}: ${text}`).toBe(false);
		this.#answers.set(name, [this.#answers.get(name) ?? "", text].join("\n"));
		const [, session] = /session (s[0-9a-f]+)/.exec(text) ?? [];
		if (session !== undefined) this.#words.SESSION = session;
	}

	/** Fails unless the answers and the files are as the play expects, and the skill has come to its end. */
	expectPromised(): void {
		const { says = {}, reads = {} } = this.#play;
		for (const [operation, pattern] of Object.entries(says))
			expect(this.#answers.get(operation), operation).toMatch(pattern);
		for (const [file, text] of Object.entries(reads))
			if (typeof text === "string") expect(this.#ws.read(file)).toBe(text);
			else expect(this.#ws.read(file)).toMatch(text);
		if (this.#name === "lsp-verify") expect(this.#phase).toContain('phase "report"');
		else if (bound.has(this.#name)) expect(this.#phase, "it has not come to its end").toMatch(/^No skill is active/);
	}
}

function control(name: string, input: Record<string, unknown>): Call {
	return { tool: "lsp", input, name };
}

/** The name of the tool. */
export function toolArguments({ tool, input, name }: Call): Record<string, unknown> {
	return tool === "lsp" ? { operation: name, input } : input;
}
