import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Files } from "../../test/support/workspace.ts";
import type { Oracle } from "../oracle.ts";
import { judgeRust } from "../size/judge-rust.ts";
import { type Language, type Mutation, mutationList } from "./change.ts";
import { Random } from "./random.ts";

/** Modules of one crate: structs with methods, traits that they implement, and functions that use earlier modules. */
export function makeRustModules({ count, seed }: { readonly count: number; readonly seed: number }): Files {
	const random = new Random(seed);
	const indexes = Array.from({ length: count }, (_, index) => index);
	const files: Record<string, string> = {
		".gitignore": "target\n",
		"Cargo.toml": '[package]\nname = "corpus"\nversion = "0.1.0"\nedition = "2021"\n\n[dependencies]\n',
		"src/lib.rs": `${indexes.map((index) => `pub mod module${index};`).join("\n")}\n`,
	};
	for (const index of indexes) {
		const chosen = new Set<number>();
		const wanted = Math.min(index, 1 + random.below(3));
		while (chosen.size < wanted) chosen.add(Math.floor(random.next() ** 1.3 * index));
		files[`src/module${index}.rs`] = rustModule(index, [...chosen]);
	}
	return files;
}

function rustModule(index: number, used: readonly number[]): string {
	const weight = ["seed", ...used.map((other) => `make_${other}(seed).weight`)].join(" + ");
	const lines = [
		...used.map((other) => `use crate::module${other}::{make_${other}, FIRST_${other}};`),
		"",
		`pub struct Item${index} {`,
		"    pub name: String,",
		"    pub weight: i32,",
		"}",
		"",
		`impl Item${index} {`,
		"    pub fn label(&self, prefix: &str) -> String {",
		'        format!("{prefix}{}", self.name)',
		"    }",
		"}",
		"",
		`pub trait Labeled${index} {`,
		"    fn tag(&self, prefix: &str) -> String;",
		"}",
		"",
		`impl Labeled${index} for Item${index} {`,
		"    fn tag(&self, prefix: &str) -> String {",
		"        self.label(prefix)",
		"    }",
		"}",
		"",
		`pub fn make_${index}(seed: i32) -> Item${index} {`,
		`    Item${index} { name: String::new(), weight: ${weight} }`,
		"}",
		"",
		`pub const FIRST_${index}: i32 = ${index};`,
		...used.flatMap((other) => [
			"",
			`pub fn read_${index}_from_${other}(seed: i32) -> String {`,
			`    let item = make_${other}(seed);`,
			`    let weight: i32 = item.weight + FIRST_${other};`,
			"    if weight > 1 {",
			'        return item.label("x");',
			"    }",
			"    item.name",
			"}",
		]),
	];
	return `${lines.join("\n")}\n`;
}

/** `cargo check` with its own target directory, so that it does not wait for the server's. */
export function rustOracle(env: Readonly<Record<string, string>>, root: string): Oracle {
	const CARGO_TARGET_DIR = mkdtempSync(join(tmpdir(), "pi-lsp-truth-"));
	return async () => ({
		errors: await judgeRust({ env: { ...env, CARGO_TARGET_DIR } }, root),
		withoutFile: 0,
		outside: 0,
	});
}

/** Edits of Rust files; places are found line by line, which suffices for formatted code. */
export const rustLanguage: Language = {
	mutations: collect,
	// A new file is not part of the crate.
	create: () => undefined,
	astral: (n) => `/* 🦊𝒳 */ pub fn wrong${n}() -> i32 { "🧪" }\n`,
	comment: (n) => `// Line ${n}.\n`,
	// All edits that `collect` proposes parse.
	parses: () => true,
};

function collect(_path: string, text: string, n: number): Mutation[] {
	if (text.includes("\r\n")) return [];
	const { found, add } = mutationList();
	const size = text.length;
	add("new type error", size, size, `pub fn wrong${n}() -> i32 { "text" }\n`, "a line at the end");
	add("new type error", size, size, `pub fn bad${n}() { missing${n}(); }\n`, "an unknown name at the end");
	for (const match of text.matchAll(/^( *)(pub )?fn (\w+)\(([^)]*)\)( -> [^{;\n]+?)?( \{\n|;\n)/gm)) {
		const [head, indent = "", visible = "", name = "", parameters = "", result = "", end = ""] = match;
		const nameAt = match.index + indent.length + visible.length + "fn ".length;
		const close = nameAt + name.length + 1 + parameters.length;
		const inside = match.index + head.length;
		add("export renamed", nameAt, nameAt + name.length, `${name.replace(/_x\d+$/, "")}_x${n}`, `${name} renamed`);
		add("signature changed", close, close, `${parameters ? ", " : ""}_added${n}: i32`, `${name}: a parameter more`);
		if (result) add("signature changed", close + 1, close + 1 + result.length, " -> bool", `${name} -> bool`);
		if (visible) {
			const at = match.index + indent.length;
			add("export removed", at, at + visible.length, "", `${name} is private`);
		}
		if (end.startsWith(";")) continue;
		add("new type error", inside, inside, `${indent}    let _wrong${n}: i32 = "text";\n`, `a wrong line in ${name}`);
		add("clean stays clean", inside, inside, `${indent}    let _ = ${n};\n`, `a line in ${name}`);
		if (indent === "")
			add("export removed", match.index, text.indexOf("\n}\n", match.index) + 3, "", `${name} removed`);
	}
	for (const match of text.matchAll(/^pub (?:struct|trait) (\w+) \{$/gm)) {
		const [line, name = ""] = match;
		const at = match.index + line.length - name.length - 2;
		add("export renamed", at, at + name.length, `${name.replace(/X\d+$/, "")}X${n}`, `${name} renamed`);
		add("lines shifted", match.index, match.index, `// Line ${n}.\n\n`, `above ${name}`);
	}
	for (const match of text.matchAll(/^(?: {4}pub weight|pub const \w+): (i32|f32)\b/gm)) {
		const type = match[1] ?? "";
		const at = match.index + match[0].length - type.length;
		const other = type === "i32" ? "f32" : "i32";
		add("signature changed", at, at + type.length, other, `${match[0].trim()} -> ${other}`);
		add("same size, same mtime", at, at + type.length, other, `${match[0].trim()} -> ${other}`);
	}
	for (const match of text.matchAll(/^use .+\n/gm))
		add("import changed", match.index, match.index + match[0].length, "", `removed: ${match[0].trim()}`);
	return found;
}
