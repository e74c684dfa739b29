import { type Language, type Mutation, mutationList } from "./change.ts";

/** Edits of Go files; places are found line by line, which suffices for formatted code. */
export const goLanguage: Language = {
	mutations: collect,
	create(path, text, n) {
		const name = /^func (\w+)\(/m.exec(text)?.[1];
		const own = /^package (\w+)/m.exec(text)?.[1];
		if (name === undefined || own === undefined) return undefined;
		return {
			path: `${path.slice(0, path.lastIndexOf("/") + 1)}created${n}.go`,
			text: `package ${own}\n\nvar Used${n} int = "${n}"\nvar Kept${n} = ${name}\nvar Gone${n} = missing${n}\n`,
		};
	},
	astral: (n) => `/* 🦊𝒳 */ var wrong${n} int = "🧪"\n`,
	comment: (n) => `// Line ${n}.\n`,
	// All edits that `collect` proposes parse.
	parses: () => true,
};

const sameSize: Readonly<Record<string, string>> = { int: "any", any: "int", string: "uint64", uint64: "string" };

function collect(_path: string, text: string, n: number): Mutation[] {
	if (text.includes("\r\n")) return [];
	const { found, add } = mutationList();
	const size = text.length;
	add("new type error", size, size, `var wrong${n} int = "text ${n}"\n`, "a line at the end");
	add("new type error", size, size, `var _ = missing${n}()\n`, "an unknown name at the end");
	for (const match of text.matchAll(/^func (?:\([^)]*\) )?(\w+)\(([^)]*)\)( [^{\n]+)? \{\n/gm)) {
		const [head, name = "", parameters = "", result = ""] = match;
		const nameAt = match.index + head.indexOf(`${name}(`);
		const close = nameAt + name.length + 1 + parameters.length;
		const end = text.indexOf("\n}\n", match.index) + 3;
		const inside = match.index + head.length;
		add("export renamed", nameAt, nameAt + name.length, `${name.replace(/X\d+$/, "")}X${n}`, `${name} renamed`);
		add("signature changed", close, close, `${parameters ? ", " : ""}added${n} int`, `${name}: a parameter more`);
		if (result)
			add("signature changed", close + 1, close + 1 + result.length, " bool", `${name}: its result is a bool`);
		add("export removed", match.index, end, "", `${name} removed`);
		add("new type error", inside, inside, `\twrong${n} := ${n}\n`, `a variable in ${name} that is not used`);
		add("clean stays clean", inside, inside, `\t_ = ${n}\n`, `a line in ${name}`);
	}
	for (const match of text.matchAll(/^type (\w+) /gm)) {
		const name = match[1] ?? "";
		const at = match.index + "type ".length;
		add("export renamed", at, at + name.length, `${name.replace(/X\d+$/, "")}X${n}`, `${name} renamed`);
		add("lines shifted", match.index, match.index, `// Line ${n}.\n\n`, `above ${name}`);
	}
	for (const match of text.matchAll(/^\t(?:Name|Weight)\s+(int|any|string|uint64)$/gm)) {
		const type = match[1] ?? "";
		const at = match.index + match[0].length - type.length;
		const other = sameSize[type] ?? "";
		add("signature changed", at, at + type.length, other, `${match[0].trim()} -> ${other}`);
		add("same size, same mtime", at, at + type.length, other, `${match[0].trim()} -> ${other}`);
	}
	for (const match of text.matchAll(/^var (\w+) = (.+)$/gm)) {
		const [line, name = "", value = ""] = match;
		const at = match.index + line.length - value.length;
		add("inferred type changed", at, at + value.length, `[]any{${value}}`, `${name} is a list`);
	}
	for (const match of text.matchAll(/^import .+\n/gm))
		add("import changed", match.index, match.index + match[0].length, "", `removed: ${match[0].trim()}`);
	return found;
}
