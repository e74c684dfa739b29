import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { hasRustPages, isThere, rustupHome } from "../live/languages.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { asked, outputOf, projects } from "./projects.ts";

interface Documented {
	readonly text: string;
	readonly from: string;
	readonly command?: string;
	readonly error?: { readonly code: string; readonly message: string; readonly details: Record<string, unknown> };
}

const documented = (ws: Workspace, ...words: string[]) => asked<Documented>(ws, "documentation", ...words);

describe.skipIf(!isThere("go"))("go doc", () => {
	test("finds a library's name that no file uses, and the file's own, and no others", () =>
		withWorkspace(projects.go, async (ws) => {
			const println = await documented(ws, "app.go", "fmt.Fprintln", "--toolchain");
			expect(println).toMatchObject({ from: "toolchain", command: "go doc fmt.Fprintln" });
			expect(println.text).toContain("func Fprintln(w io.Writer, a ...any)");
			expect(println.text).not.toMatch(/\u001b/);
			const own = await documented(ws, "app.go", "Ledger.Judge", "--toolchain");
			expect(own.text).toContain("Judge says whether it is right.");
			expect(own.text).not.toContain('import "."');
			expect(await documented(ws, "--language", "go", "--symbol", "os.Getpid")).toMatchObject({ from: "toolchain" });
			expect(await documented(ws, "app.go", "no.Such", "--toolchain")).toMatchObject({ text: "", from: "none" });
			expect(await outputOf(ws, "documentation", "app.go", "no.Such", "--toolchain")).toBe(
				"Neither the language server nor its toolchain has documentation (go doc no.Such).",
			);
		}));
});

describe.skipIf(!isThere("python3"))("pydoc", () => {
	const module = 'open("ran", "w").close()\n\n\ndef f():\n    """Doc of f."""\n';
	const files = { "pyproject.toml": "", "mine.py": module, "os.py": module };

	test("imports nothing of an untrusted repository, and reports what it would run", () =>
		withWorkspace(files, async (ws) => {
			const { error } = await documented(ws, "mine.py", "mine.f", "--toolchain");
			expect(error).toMatchObject({
				code: "LSP_SERVER_UNTRUSTED",
				details: { command: "python3 -m pydoc mine.f", suggestion: expect.stringContaining("pi-lsp trust add") },
			});
			expect(error?.message).toContain("python3 -m pydoc mine.f");
			// Installed modules are no secret, although a file of the repository has the same name.
			const join = await documented(ws, "mine.py", "os.path.join", "--toolchain");
			expect(join.text).toContain("Join two or more pathname components");
			expect(existsSync(ws.path("ran"))).toBe(false);
		}));

	test("finds the names of a trusted repository", () =>
		withWorkspace({ "pyproject.toml": "", "mine.py": module }, async (ws) => {
			ws.record("trusted by PI_LSP_TRUST");
			const env = { ...ws.env, PI_LSP_TRUST: "1" };
			const { stdout } = await ws.cli(["documentation", "mine.py", "f", "--toolchain"], { env });
			expect(stdout).toContain("Doc of f.");
			expect(existsSync(ws.path("ran"))).toBe(true);
		}));
});

describe("Rust's installed pages", () => {
	test.skipIf(!hasRustPages)("have a type and a method", () =>
		withWorkspace({ "Cargo.toml": "" }, async (ws) => {
			const env = { ...ws.env, RUSTUP_HOME: rustupHome };
			const ask = async (symbol: string) => {
				const words = ["documentation", "--language", "rust", "--symbol", symbol, "--json"];
				return JSON.parse((await ws.cli(words, { env })).stdout) as Documented;
			};
			const vector = await ask("std::vec::Vec");
			expect(vector.text).toContain("A contiguous growable array type");
			expect(vector.text).not.toMatch(/<\/?[a-z]+[ >]/);
			expect((await ask("std::vec::Vec::new")).text).toMatch(/pub const fn new\(\)[\s\S]*Constructs a new, empty/);
			expect(await ask("std::no::Such")).toMatchObject({ from: "none" });
			expect(await ask("other::Thing")).toMatchObject({ from: "none" });
		}),
	);

	test("are reported as missing with the message of a rustc that cannot run", () =>
		withWorkspace({ "Cargo.toml": "" }, async (ws) => {
			const bin = join(ws.base, "bin");
			mkdirSync(bin);
			writeFileSync(join(bin, "rustc"), "#!/bin/sh\necho 'no default toolchain is configured' >&2\nexit 1\n", {
				mode: 0o755,
			});
			const env = { ...ws.env, PATH: `${bin}:${ws.env.PATH}` };
			const words = ["documentation", "--language", "rust", "--symbol", "std::vec::Vec", "--json"];
			expect(JSON.parse((await ws.cli(words, { env })).stdout)).toMatchObject({
				from: "none",
				reason: "no default toolchain is configured",
			});
		}));
});

describe("a text that is no symbol's name", () => {
	const evil = ["-cmd", "--help", "a b", "a;b", "$(a)", "../a", "./a", "/etc/passwd", "a\nb", "", ".", "a..b", "-"];
	const languages = ["go", "python", "rust"];

	test.each(languages)("is never passed to the tools of %s", (language) =>
		withWorkspace({ "pyproject.toml": "" }, async (ws) => {
			for (const symbol of evil) {
				const { error } = await documented(ws, "--language", language, `--symbol=${symbol}`);
				expect(error?.code, JSON.stringify(symbol)).toBe("LSP_INVALID_INPUT");
			}
		}),
	);

	test("runs no tool without a file and a language", () =>
		withWorkspace({}, async (ws) => {
			expect((await documented(ws, "--symbol", "a")).error?.code).toBe("LSP_INVALID_INPUT");
			expect((await documented(ws, "--language", "go")).error?.code).toBe("LSP_INVALID_INPUT");
		}));
});

describe("the language server", () => {
	test("is asked first, and a symbol without documentation is unknown", () =>
		withWorkspace(
			{ "package.json": "{}", "tsconfig.json": "{}", "a.ts": "/** Says. */\nexport const a = 1;\n" },
			async (ws) => {
				expect(await documented(ws, "a.ts", "a")).toMatchObject({
					from: "server",
					text: expect.stringContaining("Says."),
				});
				expect(await documented(ws, "a.ts", "nowhere")).toEqual({ text: "", from: "none" });
			},
		));
});
