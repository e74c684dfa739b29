import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "../../test/support/workspace.ts";
import type { Oracle } from "../oracle.ts";
import { errorsOfC } from "../size/judge-c.ts";
import { type Language, type Mutation, mutationList } from "./change.ts";
import { Random } from "./random.ts";

const perPart = 6;

const partOf = (index: number): string => `part${Math.floor(index / perPart)}`;
const headerOf = (index: number): string => `${partOf(index)}/module${index}.h`;

/** Headers that include others, with a struct, functions and a macro that contains a call, and a source for each. */
export function makeCModules({ count, seed }: { readonly count: number; readonly seed: number }): Files {
	const random = new Random(seed);
	const files: Record<string, string> = { "compile_flags.txt": "-std=gnu11\n-I.\n" };
	for (let index = 0; index < count; index++) {
		const chosen = new Set<number>();
		const wanted = Math.min(index, 1 + random.below(3));
		while (chosen.size < wanted) chosen.add(Math.floor(random.next() ** 1.3 * index));
		files[headerOf(index)] = header(index, [...chosen]);
		files[`${partOf(index)}/module${index}.c`] = source(index, [...chosen]);
	}
	return files;
}

function header(index: number, used: readonly number[]): string {
	const lines = [
		"#pragma once",
		...used.map((other) => `#include "${headerOf(other)}"`),
		"",
		`struct item${index} {`,
		"\tconst char *name;",
		"\tint weight;",
		...used.map((other) => `\tstruct item${other} from${other};`),
		"};",
		"",
		`#define FIRST${index} (make${index}(1).weight)`,
		"",
		`struct item${index} make${index}(int seed);`,
		`const char *label${index}(struct item${index} item, const char *prefix);`,
	];
	return `${lines.join("\n")}\n`;
}

function source(index: number, used: readonly number[]): string {
	const lines = [
		`#include "${headerOf(index)}"`,
		"",
		`struct item${index} make${index}(int seed) {`,
		`\tstruct item${index} item = {"item", seed};`,
		...used.map((other) => `\titem.from${other} = make${other}(seed);`),
		"\treturn item;",
		"}",
		"",
		`const char *label${index}(struct item${index} item, const char *prefix) {`,
		"\treturn item.weight > 1 ? item.name : prefix;",
		"}",
		...used.flatMap((other) => [
			"",
			`int read${index}From${other}(int seed) {`,
			`\tstruct item${other} item = make${other}(seed);`,
			`\tint weight = item.weight + FIRST${other};`,
			`\treturn weight > 1 ? weight : label${other}(item, "x")[0];`,
			"}",
		]),
	];
	return `${lines.join("\n")}\n`;
}

/** All current sources; an error of a header counts in the header, not where it is included. */
export function cOracle(env: Readonly<Record<string, string>>, root: string): Oracle {
	return async () => {
		const options = ["--", "-std=gnu11", `-I${root}`];
		const compile = (files: readonly string[]) => errorsOfC({ env }, root, files, (file) => [file, ...options]);
		return { errors: await compile(compiledFiles(root)), withoutFile: 0, outside: 0 };
	};
}

/** All sources, and the headers that no source includes, which the compiler reads only by themselves; unordered. */
export function compiledFiles(root: string): string[] {
	const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((name) => /\.[ch]$/.test(name));
	const included = new Set<string>();
	const left = files.filter((file) => file.endsWith(".c"));
	const sources = [...left];
	for (let file = left.pop(); file !== undefined; file = left.pop())
		for (const [, header = ""] of readFileSync(join(root, file), "utf8").matchAll(/^#include "([^"]+)"/gm))
			if (!included.has(header)) {
				included.add(header);
				left.push(header);
			}
	return [...sources, ...files.filter((file) => file.endsWith(".h") && !included.has(file))];
}

/** Edits of C files; places are found line by line, which suffices for formatted code. */
export const cLanguage: Language = {
	mutations: collect,
	create(path, text, n) {
		const included = path.endsWith(".h") ? path : /^#include "([^"]+)"/m.exec(text)?.[1];
		if (included === undefined) return undefined;
		return {
			path: `${path.slice(0, path.lastIndexOf("/") + 1)}created${n}.c`,
			text: `#include "${included}"\n\nconst char *used${n}(void) { return ${n}.5; }\nint gone${n}(void) { return missing${n}; }\n`,
		};
	},
	astral: (n) => `/* 🦊𝒳 */ static inline int wrong${n}(void) { return missing${n}; } /* 🧪 */\n`,
	comment: (n) => `// Line ${n}.\n`,
	// All edits that `collect` proposes parse.
	parses: () => true,
};

function collect(path: string, text: string, n: number): Mutation[] {
	if (text.includes("\r\n")) return [];
	const { found, add } = mutationList();
	const size = text.length;
	add("new type error", size, size, `static inline int wrong${n}(void) { return missing${n}; }\n`, "at the end");
	for (const match of text.matchAll(/^((?:const )?(?:struct )?\w+ \*?)(\w+)\(([^)]*)\)(;| \{)\n/gm)) {
		const [line, result = "", name = "", parameters = "", end = ""] = match;
		const at = match.index + result.length;
		const close = at + name.length + 1 + parameters.length;
		const inside = match.index + line.length;
		add("export renamed", at, at + name.length, `${name.replace(/X\d+$/, "")}X${n}`, `${name} renamed`);
		add("signature changed", close, close, `, int added${n}`, `${name}: a parameter more`);
		add("signature changed", match.index, at, "double ", `${name}: its result is a double`);
		if (end === ";") add("export removed", match.index, inside, "", `${name} removed`);
		else {
			add("new type error", inside, inside, `\tint *wrong${n} = ${n}.5;\n`, `a wrong line in ${name}`);
			add("clean stays clean", inside, inside, `\t(void)${n};\n`, `a line in ${name}`);
		}
	}
	for (const match of text.matchAll(/^struct (\w+) \{\n/gm)) {
		const [, name = ""] = match;
		const at = match.index + "struct ".length;
		add("export renamed", at, at + name.length, `${name.replace(/X\d+$/, "")}X${n}`, `struct ${name} renamed`);
		add("lines shifted", match.index, match.index, `// Line ${n}.\n\n`, `above ${name}`);
	}
	for (const match of text.matchAll(/^\tconst char ([* ])name;$/gm)) {
		const at = match.index + match[0].indexOf("char ") + "char ".length;
		add("same size, same mtime", at, at + 1, match[1] === "*" ? " " : "*", "name is a pointer or not");
	}
	for (const match of text.matchAll(/^\tint weight;$/gm))
		add("signature changed", match.index + 1, match.index + 5, "const char *", "weight is a text");
	for (const match of text.matchAll(/^#define (\w+) (.+)$/gm)) {
		const [line, name = "", value = ""] = match;
		const at = match.index + line.length - value.length;
		add("inferred type changed", at, at + value.length, `"text ${n}"`, `${name} is a text`);
	}
	const isOwn = (included: string) => path.endsWith(included.replace(/h$/, "c"));
	for (const match of text.matchAll(/^#include "([^"]+)"\n/gm))
		if (!isOwn(match[1] ?? ""))
			add("import changed", match.index, match.index + match[0].length, "", `removed: ${match[0].trim()}`);
	return found;
}
