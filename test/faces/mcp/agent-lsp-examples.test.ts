import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { hasRustPages, isThere, rustupHome, withServers } from "../../live/languages.ts";
import { type Files, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { textOf, withMcp } from "./client.ts";
import { SEED_PROJECT, shapeOf } from "./seed-project.ts";

/** The examples that agent-lsp's reference prints, each with the fields that it has there. */

type Ask = (name: string, given: object) => Promise<ReturnType<typeof JSON.parse>>;

function withTools(files: Files, body: (ask: Ask, ws: Workspace) => Promise<void>): Promise<void> {
	return withWorkspace(files, (ws) => {
		const env = { ...withServers(ws.env), PI_LSP_TRUST: "1", RUSTUP_HOME: rustupHome };
		return withMcp(ws, { args: ["--profile", "agent-lsp"], env }, ({ text }) =>
			body(async (name, given) => JSON.parse((await text(name, given)).split("\n", 1)[0] as string), ws),
		);
	});
}

const location = { file: "/path/to/project/include/utils.h", line: 8, column: 5, end_line: 8, end_column: 15 };
const range = { start: { line: 19, character: 0 }, end: { line: 32, character: 1 } };

describe("get_workspace_symbols", () => {
	const greeter = { name: "Greeter", kind: 5, location: { uri: "file:///path/to/example.ts", range } };

	test("is basic without a detail level, and complete with a window of hovers", () =>
		withTools(SEED_PROJECT, async (ask, ws) => {
			const basic = await ask("get_workspace_symbols", { query: "gree" });
			expect(basic.length).toBeGreaterThan(2);
			expect(basic).toContainEqual(expect.objectContaining({ name: "greet", containerName: "Greeter" }));
			const plain = basic.map(({ containerName: _, ...symbol }: { containerName?: string }) => symbol);
			expect(shapeOf(plain)).toEqual([shapeOf(greeter)]);
			expect(await ask("get_workspace_symbols", { query: "gree", detail_level: "basic", limit: 1 })).toEqual(basic);

			const given = { query: "Greeter", detail_level: "hover", limit: 2 };
			const printed = {
				total: 1,
				symbols: [greeter],
				enriched: [{ ...greeter, hover: "class Greeter" }],
				pagination: { offset: 0, limit: 2, more: false },
			};
			const answer = await ask("get_workspace_symbols", given);
			expect(shapeOf(answer)).toEqual(shapeOf(printed));
			expect(answer.enriched[0]).toEqual({ ...answer.symbols[0], hover: expect.stringContaining("class Greeter") });
			expect(answer.symbols[0].location.uri).toBe(pathToFileURL(ws.path("src/example.ts")).href);

			const first = await ask("get_workspace_symbols", { query: "gree", detail_level: "hover" });
			expect([first.total, first.symbols]).toEqual([basic.length, basic]);
			expect(first.pagination).toEqual({ offset: 0, limit: 3, more: basic.length > 3 });
			const page = { query: "gree", detail_level: "hover", limit: 1, offset: 1 };
			const second = await ask("get_workspace_symbols", page);
			expect(second.enriched).toEqual([{ ...basic[1], hover: first.enriched[1].hover }]);
			expect(second.pagination).toEqual({ offset: 1, limit: 1, more: true });
			expect(second.symbols).toEqual(basic);
		}));
});

describe("go_to_symbol", () => {
	const files = {
		...SEED_PROJECT,
		"src/other/greeter.ts": "export class Greeter {\n  greet(): void {}\n}\n",
		"src/script.js": "export function greetAll() {}\n",
	};

	test("is limited to a directory and to a language", () =>
		withTools(files, async (ask, ws) => {
			const found = async (more: object) => {
				const places = await ask("go_to_symbol", { symbol_path: "Greeter.greet", ...more });
				expect(shapeOf(places)).toEqual([shapeOf(location)]);
				return places.map(({ file, line }: { file: string; line: number }) => `${file}:${line}`);
			};
			expect(await found({ workspace_root: ws.path("src/other") })).toEqual([`${ws.path("src/other/greeter.ts")}:2`]);
			expect(await found({ workspace_root: ws.root, language: "typescript" })).toHaveLength(1);
			const script = await ask("go_to_symbol", { symbol_path: "greetAll", language: "javascript" });
			expect(script).toMatchObject([{ file: ws.path("src/script.js"), line: 1, column: 17 }]);
			expect(await ask("go_to_symbol", { symbol_path: "greetAll", language: "typescript" })).toEqual([]);
		}));

	test("refuses a directory outside of the workspace", () =>
		withWorkspace(SEED_PROJECT, (ws) =>
			withMcp(ws, { args: ["--profile", "agent-lsp"] }, async ({ call }) => {
				const result = await call("go_to_symbol", { symbol_path: "add", workspace_root: "/usr" });
				expect([result.isError, textOf(result)]).toEqual([true, expect.stringMatching(/^LSP_OUTSIDE_WORKSPACE: /)]);
			}),
		));
});

const animals = {
	"go.mod": "module animals\n\ngo 1.21\n",
	"animal.go": "package animals\n\n// Animal speaks.\ntype Animal interface {\n\tSpeak() string\n}\n",
	"dog.go": 'package animals\n\ntype Dog struct{}\n\nfunc (Dog) Speak() string { return "woof" }\n',
	"sub/go.mod": "module sub\n\ngo 1.21\n",
	"sub/sub.go": "package sub\n",
};

describe.skipIf(!isThere("gopls"))("with gopls", () => {
	test("go_to_implementation gives the locations of an interface's methods", () =>
		withTools(animals, async (ask, ws) => {
			const at = { file_path: ws.path("animal.go"), language_id: "go", line: 5, column: 2 };
			const found = await ask("go_to_implementation", at);
			expect(shapeOf(found)).toEqual([shapeOf(location)]);
			expect(found).toMatchObject([{ file: ws.path("dog.go"), line: 5, column: 12 }]);
		}));

	test("type_hierarchy has items, and the other fields only if they are requested", () =>
		withTools(animals, async (ask, ws) => {
			const fields = { detail: "demo • animal.go", uri: "file:///a.go", range, selectionRange: range };
			const item = (name: string, kind: number) => ({ name, kind, ...fields });
			const printed = { items: [item("Animal", 11)], supertypes: [], subtypes: [item("Dog", 5)] };
			const at = { file_path: ws.path("animal.go"), language_id: "go", line: 4, column: 6 };
			const answer = await ask("type_hierarchy", { ...at, direction: "both" });
			expect(shapeOf(answer)).toEqual(shapeOf(printed));
			expect(answer.items).toMatchObject([
				{ name: "Animal", kind: 11, selectionRange: { start: { line: 3, character: 5 } } },
			]);
			expect(answer.subtypes).toMatchObject([{ name: "Dog", uri: pathToFileURL(ws.path("dog.go")).href }]);
			expect(await ask("type_hierarchy", at)).toEqual(answer);
			const { supertypes: _, ...below } = answer;
			expect(await ask("type_hierarchy", { ...at, direction: "subtypes" })).toEqual(below);
		}));

	test("add_workspace_folder and remove_workspace_folder answer with the folders of the server", () =>
		withTools(animals, async (ask, ws) => {
			await ask("get_document_symbols", { file_path: ws.path("dog.go") });
			const folder = (path: string) => ({ uri: pathToFileURL(path).href, name: path });
			const [root, sub] = [ws.root, ws.path("sub")];
			const added = { added: sub, workspace_folders: [folder(root), folder(sub)] };
			expect(await ask("add_workspace_folder", { path: sub })).toEqual(added);
			expect(await ask("add_workspace_folder", { path: sub })).toEqual(added);
			const removed = { removed: sub, workspace_folders: [folder(root)] };
			expect(await ask("remove_workspace_folder", { path: sub })).toEqual(removed);
			expect(await ask("list_workspace_folders", {})).toEqual({ workspace_folders: [folder(root)] });
		}));
});

test.skipIf(!isThere("clangd"))("go_to_declaration gives the line of the header", () => {
	const files = {
		"compile_flags.txt": "-xc++\n",
		"utils.h": "#pragma once\n\nint sum_of(int a, int b);\n",
		"utils.cpp": '#include "utils.h"\n\nint sum_of(int a, int b) { return a + b; }\n',
	};
	return withTools(files, async (ask, ws) => {
		const at = { file_path: ws.path("utils.cpp"), language_id: "cpp", line: 3, column: 5 };
		const found = await ask("go_to_declaration", at);
		expect(shapeOf(found)).toEqual([shapeOf(location)]);
		expect(found).toEqual([{ file: ws.path("utils.h"), line: 3, column: 5, end_line: 3, end_column: 11 }]);
	});
});

describe("get_symbol_documentation", () => {
	const println = {
		symbol: "fmt.Println",
		language: "go",
		source: "toolchain",
		doc: "func Println(a ...any) (n int, err error)\n\nPrintln formats using the default formats...",
		signature: "func Println(a ...any) (n int, err error)",
		error: "",
	};
	const files = { "go.mod": "module a\n", "a.go": "package a\n" };

	test.skipIf(!isThere("go"))("answers by go doc, with the signature in a fence if that is requested", () =>
		withTools(files, async (ask, ws) => {
			const given = { symbol: "fmt.Println", language_id: "go", file_path: ws.path("a.go") };
			const answer = await ask("get_symbol_documentation", given);
			expect(answer).toEqual({ ...println, doc: expect.stringContaining("Println formats using the default formats") });
			expect(await ask("get_symbol_documentation", { ...given, format: "markdown" })).toEqual({
				...answer,
				signature: `\`\`\`go\n${println.signature}\n\`\`\``,
			});
			const nothing = await ask("get_symbol_documentation", { ...given, symbol: "fmt.NoSuch" });
			const message = expect.stringContaining("no symbol NoSuch in package fmt");
			expect(nothing).toMatchObject({ source: "error", doc: "", signature: "", error: message });
		}),
	);

	test.skipIf(!isThere("python3"))("answers by pydoc", () =>
		withTools(files, async (ask) => {
			const answer = await ask("get_symbol_documentation", { symbol: "os.path.join", language_id: "python" });
			expect(shapeOf(answer)).toEqual(shapeOf(println));
			expect(answer).toMatchObject({
				source: "toolchain",
				language: "python",
				signature: "os.path.join = join(a, *p)",
			});
		}),
	);

	test.skipIf(!hasRustPages)(
		"answers by Rust's installed pages, with a signature without the version that it is stable since",
		() =>
			withTools(files, async (ask) => {
				const pushed = await ask("get_symbol_documentation", { symbol: "std::vec::Vec::push", language_id: "rust" });
				expect(pushed).toMatchObject({ source: "toolchain", doc: expect.stringContaining("Appends an element") });
				expect(pushed.signature).toBe("pub fn push(&mut self, value: T)");
				const constant = await ask("get_symbol_documentation", { symbol: "std::vec::Vec::len", language_id: "rust" });
				expect(constant.signature).toBe("pub const fn len(&self) -> usize");
			}),
	);

	test("answers with a message and no error for another language, a missing name or a missing toolchain", () =>
		withWorkspace(files, async (ws) => {
			const env = { ...ws.env, PATH: ws.path("none") };
			await withMcp(ws, { args: ["--profile", "agent-lsp"], env }, async ({ text }) => {
				for (const [symbol, language_id, error] of [
					["Array.map", "typescript", /one of go, python, rust/],
					["rm -rf", "go", /no name of a symbol/],
					["fmt.Println", "go", /go not found/],
				] as const) {
					const answer = JSON.parse(await text("get_symbol_documentation", { symbol, language_id }));
					expect(shapeOf(answer)).toEqual(shapeOf(println));
					const about = { symbol, language: language_id, source: "error", doc: "", signature: "" };
					expect(answer).toEqual({ ...about, error: expect.stringMatching(error) });
				}
			});
		}));
});
