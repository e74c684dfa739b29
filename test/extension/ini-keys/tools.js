// What the package carries out: each function gets its input, and what it may ask pi-lsp.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

export const tools = {
	async "ini-sections"({ file }, { cwd, run }) {
		const { files } = await run("check", { files: [file] });
		const wrong = new Map(files.flatMap((each) => each.diagnostics).map(({ line, message }) => [line, message]));
		const sections = sectionsOf(await readFile(resolve(cwd, file), "utf8"));
		const lines = sections.map(({ name, keys }) => {
			const found = keys.flatMap(({ line }) => wrong.get(line) ?? []);
			return [`[${name}] ${keys.map(({ key }) => key).join(", ")}`, ...found.map((each) => `  ${each}`)].join("\n");
		});
		return { text: lines.join("\n") || "There is no section.", data: { sections } };
	},

	async "ini-dedupe"({ file }, { cwd }) {
		const path = resolve(cwd, file);
		const again = sectionsOf(await readFile(path, "utf8")).flatMap(({ keys }) =>
			keys.filter(({ key }, index) => keys.slice(index + 1).some((later) => later.key === key)),
		);
		if (again.length === 0) return "No key stands twice.";
		const edits = again.map(({ line }) => ({
			range: { start: { line: line - 1, character: 0 }, end: { line, character: 0 } },
			newText: "",
		}));
		const text = `taken out: ${again.map(({ key }) => key).join(", ")}`;
		return { text, edit: { changes: { [pathToFileURL(path).href]: edits } } };
	},
};

// Its server has no outline: the package answers `symbols` for its files.
export const answers = {
	async symbols({ file }, { cwd }) {
		const text = await readFile(resolve(cwd, file), "utf8");
		const symbol = (name, kind, [line, endLine], children) => {
			return { name, kind, line, column: 1, endLine, endColumn: 1, nameLine: line, nameColumn: 1, children };
		};
		const symbols = sectionsOf(text).map(({ name, line, keys }) => {
			const children = keys.map((each) => symbol(each.key, "property", [each.line, each.line + 1], []));
			return symbol(name, "module", [line, (keys.at(-1)?.line ?? line) + 1], children);
		});
		return { symbols, characters: text.length };
	},
};

function sectionsOf(text) {
	const sections = [];
	for (const [index, row] of text.split(/\r?\n/).entries()) {
		const name = /^\[(.*)\]/.exec(row)?.[1];
		if (name !== undefined) sections.push({ name, line: index + 1, keys: [] });
		const key = /^([^;#[=\s]+)\s*=/.exec(row)?.[1];
		if (key) sections.at(-1)?.keys.push({ key, line: index + 1 });
	}
	return sections;
}
