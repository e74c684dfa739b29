import { type Language, type Mutation, mutationList } from "./change.ts";

/** Edits of Python files; places are found line by line, which suffices for formatted code. */
export const pythonLanguage: Language = {
	mutations: collect,
	create(path, text, n) {
		const name = /^def (\w+)\(/m.exec(text)?.[1];
		const base = path.slice(path.lastIndexOf("/") + 1, -3);
		if (name === undefined || base === "__init__") return undefined;
		return {
			path: `${path.slice(0, path.lastIndexOf("/") + 1)}created_${n}.py`,
			text: [
				`from . import ${base} as source`,
				`from .${base} import ${name}`,
				`used_${n}: int = "${n}"`,
				`kept_${n} = ${name}`,
				`gone_${n} = source.missing_${n}`,
				"",
			].join("\n"),
		};
	},
	astral: (n) => `astral_${n} = "🦊𝒳"; wrong_${n}: int = "🧪"\n`,
	comment: (n) => `# Line ${n}.\n`,
	// All edits that `collect` proposes parse.
	parses: () => true,
};

function collect(_path: string, text: string, n: number): Mutation[] {
	const { found, add } = mutationList();
	const size = text.length;
	add("new type error", size, size, `wrong_${n}: int = "text ${n}"\n`, "a line at the end");
	add("new type error", size, size, `missing_${n}()\n`, "an unknown name at the end");
	const lines = linesOf(text);
	for (const [index, { start, line }] of lines.entries()) {
		const end = start + line.length;
		const def = /^(\s*)def (\w+)\((.*)\)( -> [^:]+)?:\s*$/.exec(line);
		if (def) {
			const [, indent = "", name = "", parameters = "", result] = def;
			const at = start + indent.length + 4;
			const close = start + line.indexOf("(") + 1 + parameters.length;
			if (!name.startsWith("__")) {
				add("export renamed", at, at + name.length, `${name.replace(/_x\d+$/, "")}_x${n}`, `${name} renamed`);
				if (!/[*=]/.test(parameters))
					add(
						"signature changed",
						close,
						close,
						`${parameters ? ", " : ""}added_${n}: int`,
						`${name}: a parameter more`,
					);
				if (result) {
					const typeAt = close + 1;
					add("signature changed", typeAt, typeAt + result.length, " -> bytes", `${name} -> bytes`);
					add("inferred type changed", typeAt, typeAt + result.length, "", `${name} without its type`);
				}
			}
			const body = bodyEnd(lines, index, indent.length);
			if (indent === "" && name !== "" && body && !lines[index - 1]?.line.startsWith("@"))
				add("export removed", start, body, "", `${name} removed`);
			const inside = end + 1;
			add("new type error", inside, inside, `${indent}    wrong_${n}: int = "text ${n}"\n`, `a wrong line in ${name}`);
			add("clean stays clean", inside, inside, `${indent}    _ = ${n}\n`, `a line in ${name}`);
		}
		const type = /^class (\w+)/.exec(line);
		if (type?.[1]) {
			const at = start + "class ".length;
			const name = type[1];
			add("export renamed", at, at + name.length, `${name.replace(/X\d+$/, "")}X${n}`, `${name} renamed`);
			add(
				"lines shifted",
				startOfDecorators(lines, index),
				startOfDecorators(lines, index),
				`# Line ${n}.\n\n`,
				`above ${name}`,
			);
		}
		for (const match of line.matchAll(/: (int|str)\b/g)) {
			const at = start + match.index + 2;
			const swapped = match[1] === "int" ? "str" : "int";
			add("signature changed", at, at + 3, swapped, `${line.trim()} -> ${swapped}`);
			add("same size, same mtime", at, at + 3, swapped, `${line.trim()} -> ${swapped}`);
		}
		const back = /^( +)return (.+)$/.exec(line);
		if (back?.[2] && isWhole(back[2])) {
			const at = start + (back[1]?.length ?? 0) + "return ".length;
			add("inferred type changed", at, at + back[2].length, `[${back[2]}]`, `return [${back[2]}]`);
		}
		if (/^from \S+ import [^(]+$|^import \S+/.test(line) && !line.includes("__future__")) {
			add("import changed", start, end + 1, "", `removed: ${line}`);
			const at = start + line.indexOf(" ", line.indexOf(" ") + 1);
			if (line.startsWith("from")) {
				add("import changed", at, at, `_missing_${n}`, `a module that is not there: ${line}`);
				add("export removed", start, end + 1, "", `not exported any more: ${line}`);
			}
		}
	}
	return found;
}

/** Whether an expression ends on its line. */
function isWhole(expression: string): boolean {
	const count = (pattern: RegExp) => expression.match(pattern)?.length ?? 0;
	return count(/[([{]/g) === count(/[)\]}]/g) && !/["'#\\]/.test(expression);
}

interface Line {
	readonly start: number;
	readonly line: string;
}

function linesOf(text: string): Line[] {
	const lines: Line[] = [];
	let start = 0;
	for (const line of text.split("\n")) {
		lines.push({ start, line: line.replace(/\r$/, "") });
		start += line.length + 1;
	}
	return text.includes("\r\n") ? [] : lines;
}

/** The offset after the body of the declaration in a line; undefined where the body ends with the text. */
function bodyEnd(lines: readonly Line[], index: number, indent: number): number | undefined {
	return lines.slice(index + 1).find(({ line }) => line.trim() !== "" && line.search(/\S/) <= indent)?.start;
}

function startOfDecorators(lines: readonly Line[], index: number): number {
	let first = index;
	while (lines[first - 1]?.line.startsWith("@")) first--;
	return lines[first]?.start ?? 0;
}
