import { describe, expect, test } from "vitest";
import { met, notYet, until } from "../support/until.ts";
import { type Files, type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, rustupHome, withServers } from "./languages.ts";

interface Answer {
	readonly total: number;
	readonly places: readonly { readonly path: string; readonly line: number }[];
	readonly incomplete?: string;
}

/** The answer of a server that has not read enough when the time limit of a query is over. */
interface NotYet {
	readonly error: {
		readonly code: string;
		readonly message: string;
		readonly details: { readonly suggestion: string };
	};
}

interface Steps {
	readonly steps: readonly { readonly name: string; readonly lines?: readonly { readonly line: number }[] }[];
}

/** References may take 120 s, and a server has to start before. */
const answerMs = 150_000;
/** The errors of a server that has not read the project. */
const notYetCodes = ["LSP_FILE_NOT_INDEXED", "LSP_SERVER_TIMEOUT"];
/** The time in which a server has read one of these projects on a busy machine. */
const settleMs = 120_000;

interface Subject {
	readonly server: string;
	/** The program without which the test is skipped; none for bundled servers. */
	readonly programs: readonly string[];
	/** True for a server that runs code of the repository. */
	readonly trust?: boolean;
	readonly files: Files;
	readonly file: string;
	/** A function that is used in its own file and in another one, which was never opened. */
	readonly symbol: string;
	/** Its uses, `file:line`. */
	readonly uses: readonly string[];
	/** Further queries: arguments of the command line and a part of the answer. */
	readonly also: readonly (readonly [readonly string[], string])[];
}

const typescriptFiles: Files = {
	"tsconfig.json": '{ "compilerOptions": { "strict": true, "module": "nodenext", "types": [], "noEmit": true } }',
	"src/a.ts": 'export function greet(n: string): string {\n\treturn n;\n}\nexport const one = greet("1");\n',
	"src/b.ts": 'import { greet } from "./a.js";\nexport function use() {\n\treturn greet("b");\n}\n',
};
const typescript = {
	programs: [],
	file: "src/a.ts",
	symbol: "greet",
	uses: ["src/a.ts:4", "src/b.ts:1", "src/b.ts:3"],
	also: [
		[["signature", "src/b.ts", "greet"], "greet(n: string): string"],
		[["inlay_hints", "src/b.ts", "3"], '3: return greet(«n:»"b");'],
		[["semantic_tokens", "src/b.ts", "3"], "3: greet function"],
		[["completion", "src/a.ts", "gre@@et(n"], "greet"],
	],
} as const;

const subjects: readonly Subject[] = [
	{ ...typescript, server: "typescript", files: { ...typescriptFiles, "package.json": '{ "type": "module" }' } },
	{
		...typescript,
		server: "typescript-language-server",
		files: {
			...typescriptFiles,
			"package.json": '{ "type": "module", "devDependencies": { "typescript": "^5.4.0" } }',
		},
		also: [...typescript.also, [["code_actions", "src/a.ts", "--line", "1", "--kind", "refactor"], "Convert"]],
	},
	...["pyright", "basedpyright"].map(
		(server): Subject => ({
			server,
			programs: [`${server}-langserver`],
			files: {
				"pyproject.toml": `[project]\nname = "x"\n[tool.${server}]\n`,
				"a.py":
					'def greet(n: str) -> str:\n    """Hello."""\n    return n\n\nclass Base: ...\nclass Sub(Base):\n    def name(self): return greet("x")\n',
				"b.py": 'from a import greet\n\ndef use():\n    return greet("b")\n',
			},
			file: "a.py",
			symbol: "greet",
			uses: ["a.py:7", "b.py:1", "b.py:4"],
			also: [
				[["declaration", "b.py", "greet"], "a.py\n  1: def greet"],
				[["definition", "a.py", "2:Hello"], "At 2:8 stands Hello"],
			],
		}),
	),
	{
		server: "gopls",
		programs: ["gopls", "go"],
		files: {
			"go.mod": "module example.com/x\n\ngo 1.20\n",
			"a/a.go":
				'package a\n\nfunc Greet(n string) string { return n }\n\ntype Shaper interface{ Sides() int }\n\ntype Square struct{}\n\nfunc (s *Square) Sides() int { _ = Greet("x"); return 4 }\n',
			"b/b.go": 'package b\n\nimport "example.com/x/a"\n\nfunc Use() string { return a.Greet("b") }\n',
			"a/a_test.go": 'package a\n\nimport "testing"\n\nfunc TestGreet(t *testing.T) { Greet("t") }\n',
		},
		file: "a/a.go",
		symbol: "Greet",
		uses: ["a/a.go:9", "b/b.go:5", "a/a_test.go:5"],
		also: [
			[["types", "a/a.go", "Shaper", "--direction", "sub"], "Square  a/a.go:7"],
			[["definition", "a/a.go", "Square.Sides"], "9: func (s *Square) Sides()"],
			[["implementation", "a/a.go", "Shaper"], "7: type Square struct{}"],
			[["inlay_hints", "b/b.go"], 'a.Greet(«n:»"b")'],
			[["semantic_tokens", "b/b.go", "5"], "Use function.definition"],
			[["prepare_rename", "b/b.go", "Use"], "Use at 5:6 can be renamed."],
			[["references", "a/a.go", "1:package"], "stands package: package a"],
		],
	},
	{
		server: "rust-analyzer",
		programs: ["rust-analyzer", "cargo"],
		files: {
			"Cargo.toml": '[package]\nname = "x"\nversion = "0.1.0"\nedition = "2021"\n',
			"src/lib.rs":
				'pub mod other;\npub fn greet(n: &str) -> &str { n }\npub trait Named { fn name(&self) -> &str; }\npub struct T;\nimpl Named for T { fn name(&self) -> &str { greet("x") } }\n',
			"src/other.rs": 'use crate::greet;\npub fn using() -> usize { greet("o").len() }\n',
		},
		file: "src/lib.rs",
		symbol: "greet",
		uses: ["src/lib.rs:5", "src/other.rs:1", "src/other.rs:2"],
		also: [
			[["implementation", "src/lib.rs", "Named"], "5: impl Named for T"],
			[["definition", "src/lib.rs", "T.name"], "5: impl Named for T"],
		],
	},
	{
		server: "jdtls",
		programs: ["jdtls", "java"],
		trust: true,
		files: {
			".project":
				"<projectDescription><name>x</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>",
			".classpath":
				'<classpath><classpathentry kind="src" path="src"/><classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>',
			"src/Greeter.java":
				'class Greeter {\n\tstatic String greet(String n) {\n\t\treturn n;\n\t}\n\tString own = greet("x");\n}\n',
			"src/User.java": 'class User {\n\tString use() {\n\t\treturn Greeter.greet("u");\n\t}\n}\n',
		},
		file: "src/Greeter.java",
		symbol: "Greeter.greet",
		uses: ["src/Greeter.java:5", "src/User.java:3"],
		also: [
			[["definition", "src/User.java", "greet"], "2: static String greet(String n) {"],
			[["source", "src/Greeter.java", "Greeter.greet"], "return n;"],
			[["find", "Greeter.greet"], "src/Greeter.java"],
		],
	},
	{
		server: "clangd",
		programs: ["clangd"],
		files: {
			"compile_flags.txt": "-Wall\n",
			"a.h": "int greet(int n);\n",
			"a.c": '#include "a.h"\nint greet(int n) { return n; }\nint own(void) { return greet(2); }\n',
			"b.c": '#include "a.h"\nint use(void) { return greet(1); }\n',
		},
		file: "a.c",
		symbol: "greet",
		uses: ["a.c:3", "b.c:2"],
		also: [
			[["declaration", "a.c", "greet"], "a.h\n  1: int greet(int n);"],
			[["semantic_tokens", "b.c", "2"], "greet function"],
		],
	},
];

describe("a real server that is started by the query itself:", () => {
	for (const subject of subjects) {
		const missing = subject.programs.find((name) => !isThere(name));
		const title = `${subject.server}: all users in other files are found, or the answer is marked as incomplete`;
		if (missing === undefined) test(title, () => asked(subject), 300_000);
		else test.skip(`${title}: ${missing} is not installed`);
	}
});

async function asked({ files, file, symbol, uses, also, trust = false }: Subject): Promise<void> {
	await withWorkspace(files, async (plain) => {
		const ws = trust ? { ...plain, env: { ...plain.env, PI_LSP_TRUST: "1" } } : plain;
		// A server on a busy machine may still be reading when the time limit of a query is over: then that is reported.
		const first = await json<Answer | NotYet>(ws, ["references", file, symbol]);
		if (isNotYet(first)) expect(first.error.details.suggestion).toContain("again");
		else if (first.incomplete === undefined) expect(placesOf(first)).toEqual(uses);
		const whole = await settled<Answer>(ws, ["references", file, symbol]);
		expect(placesOf(whole)).toEqual(uses);
		const { incoming } = await settled<{ incoming: Steps }>(ws, ["calls", file, symbol, "--direction", "incoming"]);
		// An import is no call.
		const lines = incoming.steps.flatMap(({ lines: found = [] }) => found);
		expect(lines.length).toBeGreaterThan(1);
		for (const [words, expected] of also) {
			const answer = await until(
				words.join(" "),
				async () => {
					const { stdout, stderr } = await ws.cli(words, { env: environment(ws), timeoutMs: answerMs });
					return notYetCodes.some((code) => stderr.startsWith(code)) ? notYet(stderr) : met(stdout + stderr);
				},
				{ timeoutMs: settleMs },
			);
			expect(answer, words.join(" ")).toContain(expected);
		}
	});
}

/** The answer after the server has read the project: on a busy machine each query can end before it has. */
function settled<Value extends object>(ws: Workspace, words: readonly string[]): Promise<Value> {
	return until(
		`${words.join(" ")} is answered whole`,
		async () => {
			const answer = await json<Value | NotYet>(ws, words);
			if (isNotYet(answer)) return notYet(answer.error.message);
			const { incomplete } = answer as { incomplete?: string };
			return incomplete === undefined ? met(answer as Value) : notYet(incomplete);
		},
		{ timeoutMs: settleMs },
	);
}

function isNotYet(answer: object | NotYet): answer is NotYet {
	return "error" in answer && notYetCodes.includes(answer.error.code);
}

function placesOf({ places }: Answer): string[] {
	return places.map(({ path, line }) => `${path}:${line}`);
}

async function json<Value>(ws: Workspace, words: readonly string[]): Promise<Value> {
	const { stdout, stderr } = await ws.cli([...words, "--json"], { env: environment(ws), timeoutMs: answerMs });
	expect(stderr).toBe("");
	return JSON.parse(stdout) as Value;
}

function environment({ env }: Workspace): Readonly<Record<string, string>> {
	return { ...withServers(env), CARGO_NET_OFFLINE: "true", RUSTUP_HOME: rustupHome };
}
