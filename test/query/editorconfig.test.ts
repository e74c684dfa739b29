import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { editorConfigOf, sectionsOf } from "../../src/query/editorconfig.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../support/workspace.ts";

/** The style that the files of a workspace give to one of its paths. */
async function formatOf(files: Readonly<Record<string, string>>, path: string, link?: readonly [string, string]) {
	const base = realpathSync(mkdtempSync(join(tmpdir(), "pi-lsp-")));
	const root = join(base, "ws");
	try {
		for (const [file, text] of Object.entries(files)) {
			mkdirSync(dirname(join(root, file)), { recursive: true });
			writeFileSync(join(root, file), text);
		}
		if (link) symlinkSync(join(base, link[0]), join(root, link[1]));
		return await editorConfigOf(join(root, path), root);
	} finally {
		rmSync(base, { recursive: true, force: true });
	}
}

const spaces = (size: number) => `indent_style = space\nindent_size = ${size}\n`;

describe("An .editorconfig", () => {
	test("sets tabs or spaces, their width, and the line ends", async () => {
		const text = `; first\n# second\n[*]\nIndent_Style=SPACE\nindent_size = 3\ntrim_trailing_whitespace = true\ninsert_final_newline = false\n`;
		expect(await formatOf({ ".editorconfig": text }, "src/a.ts")).toEqual({
			insertSpaces: true,
			tabSize: 3,
			trimTrailingWhitespace: true,
			insertFinalNewline: false,
		});
		const tabs = "[*]\nindent_style = tab\nindent_size = tab\ntab_width = 8\n";
		expect(await formatOf({ ".editorconfig": tabs }, "a.ts")).toEqual({ insertSpaces: false, tabSize: 8 });
		const odd =
			"[*]\nindent_style = both\nindent_size = -1\ntab_width = 999\ninsert_final_newline = 1\nindent_size\n= 4\n";
		expect(await formatOf({ ".editorconfig": odd }, "a.ts")).toEqual({});
	});

	test.each([
		["*.ts", "src/deep/a.ts", true],
		["*.{js,ts}", "src/a.ts", true],
		["a.ts", "src/a.ts", true],
		["/a.ts", "src/a.ts", false],
		["src/*.ts", "src/a.ts", true],
		["src/*.ts", "src/deep/a.ts", false],
		["src/**.ts", "src/deep/a.ts", true],
		["[!b].ts", "a.ts", true],
		["[!a].ts", "a.ts", false],
		["?.ts", "a.ts", true],
		["{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}.ts", "aaaaaaaaa.ts", false],
	])("with [%s] applies to %s: %s", async (glob, path, isMeant) => {
		const found = await formatOf({ ".editorconfig": `[${glob}]\n${spaces(2)}` }, path);
		expect(found).toEqual(isMeant ? { insertSpaces: true, tabSize: 2 } : {});
	});

	test("is overridden by a nearer one, and ignored above one that is the root", async () => {
		const files = { ".editorconfig": `[*]\n${spaces(2)}`, "src/.editorconfig": "[*.ts]\nindent_size = 8\n" };
		expect(await formatOf(files, "src/a.ts")).toEqual({ insertSpaces: true, tabSize: 8 });
		const root = { ...files, "src/.editorconfig": "root = true\n[*.ts]\nindent_size = 8\n" };
		expect(await formatOf(root, "src/a.ts")).toEqual({ tabSize: 8 });
	});

	test("is ignored if it is larger than 256 KB, or a link that leads out of the workspace", async () => {
		const large = `[*]\n${spaces(2)}${"#".repeat(256 * 1024)}`;
		expect(await formatOf({ ".editorconfig": large }, "a.ts")).toEqual({});
		const outside = { "a.ts": "", "../other": `[*]\n${spaces(2)}` };
		expect(await formatOf(outside, "a.ts", ["other", ".editorconfig"])).toEqual({});
	});

	test("of 256 KB of sections is read at once, and not beyond its first sections", async () => {
		const text = "[*a*b*{c,d}*e*]\nindent_size = 2\n".repeat(8000);
		expect(sectionsOf(text).length).toBeLessThan(250);
		const begun = performance.now();
		await formatOf({ ".editorconfig": text }, "a".repeat(200));
		expect(performance.now() - begun).toBeLessThan(2000);
	});
});

test("A file is formatted, and code inserted, according to .editorconfig", () =>
	withWorkspace(
		{
			...TYPESCRIPT_PROJECT,
			".editorconfig": `root = true\n[*.ts]\n${spaces(3)}`,
			"src/a.ts": "export function a(): void {\n\twhile (true) {\n\t\tbreak;\n\t}\n}\n",
			"src/b.ts": "export const b = 1;\n",
		},
		async (ws) => {
			expect((await ws.cli(["format", "src/a.ts"])).code).toBe(0);
			expect(ws.read("src/a.ts")).toBe("export function a(): void {\n   while (true) {\n      break;\n   }\n}\n");
			const code = "export function c(): void {\n\ta();\n}";
			await ws.cli(["insert_after", "src/b.ts", "b", code.replace("a()", "c()")]);
			expect(ws.read("src/b.ts")).toContain("export function c(): void {\n   c();\n}\n");
			await ws.cli(["format", "src/a.ts", "--tab_size", "2"]);
			expect(ws.read("src/a.ts")).toContain("\n  while (true) {\n");
		},
	));
