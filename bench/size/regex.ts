import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { cached, keep, run, vendorCrates } from "../registries.ts";
import { BareSide } from "./bare-side.ts";
import { checkMs, judgeRust, proveByCargo } from "./judge-rust.ts";
import type { LargeProject, ScriptedEdit } from "./project.ts";
import { rustRules } from "./seeds.ts";

/** 269,000 lines in 317 files; all but two of the crates are `regex` and its dependencies. */
const crates: Readonly<Record<string, string>> = {
	regex: "1.11.1",
	"regex-automata": "0.4.9",
	"regex-syntax": "0.8.5",
	"aho-corasick": "1.1.3",
	memchr: "2.7.4",
	gimli: "0.31.1",
	object: "0.36.7",
};
const hub = "crates/regex-automata/src/util/search.rs";

/** A workspace of several crates of the registry; their other dependencies are in this machine's cache of the registry. */
function prepare(into: string): void {
	vendorCrates(into, crates);
	for (const name of Object.keys(crates)) {
		const directory = join(into, "crates", name);
		cpSync(join(into, "vendor", name), directory, { recursive: true });
		for (const part of [".cargo-checksum.json", "Cargo.lock", "tests", "testdata", "benches", "examples"])
			rmSync(join(directory, part), { recursive: true, force: true });
		const own = join(directory, "Cargo.toml");
		writeFileSync(own, withoutTests(readFileSync(own, "utf8")));
	}
	keep(into, "crates");
	const patches = Object.keys(crates).map((name) => `${name} = { path = "crates/${name}" }\n`);
	const workspace = `[workspace]\nresolver = "2"\nmembers = ["crates/*"]\n\n[patch.crates-io]\n${patches.join("")}`;
	writeFileSync(join(into, "Cargo.toml"), workspace);
	run("cargo", ["generate-lockfile"], into);
	run("cargo", ["fetch"], into);
}

/** Removes the sections that only the deleted tests need. */
function withoutTests(manifest: string): string {
	const isLeft = /^\[(?:\[(?:test|bench|example|bin)\]\]|(?:target\.[^\]]*\.)?dev-dependencies|profile|badges)/;
	return manifest
		.split(/^(?=\[)/m)
		.filter((section) => !isLeft.test(section))
		.map((section) => section.replace(/^\[lib\]\n/, "[lib]\ntest = false\n"))
		.join("");
}

function env(): Record<string, string> {
	const { CARGO_HOME: cargo, RUSTUP_HOME: rustup } = process.env;
	return {
		CARGO_HOME: cargo ?? join(homedir(), ".cargo"),
		RUSTUP_HOME: rustup ?? join(homedir(), ".rustup"),
		CARGO_NET_OFFLINE: "true",
		// Without trust rust-analyzer must not run cargo.
		PI_LSP_TRUST: "1",
	};
}

const renamed: ScriptedEdit = {
	kind: "export renamed",
	back: "export renamed back",
	change: (n) => ({ file: hub, oldText: "pub fn haystack(&self)", newText: `pub fn haystack_other_${n}(&self)` }),
};

const range = "    pub fn set_range<R: RangeBounds<usize>>(&mut self, range: R) {\n        use core::ops::Bound;\n";

const edits: readonly ScriptedEdit[] = [
	{
		kind: "comment",
		back: "comment",
		change: (n) => ({ file: hub, oldText: range, newText: `    // Note ${n}.\n${range}` }),
	},
	{
		kind: "formatting",
		back: "formatting",
		change: (n) => ({ file: hub, oldText: range, newText: range.replace("(&mut", `(${" ".repeat(n)}&mut`) }),
	},
	{
		kind: "private body",
		back: "private body",
		change: (n) => ({ file: hub, oldText: range, newText: `${range}        let _ = ${n};\n` }),
	},
	{
		kind: "error in a function body",
		back: "error in a function body fixed",
		change: (n) => ({ file: hub, oldText: range, newText: `${range}        let _: &str = ${n};\n` }),
	},
	{
		kind: "export added",
		back: "unused export removed",
		change: (n) => ({
			file: hub,
			oldText: "impl<'h> Input<'h> {\n",
			newText: `impl<'h> Input<'h> {\n    /// Note ${n}.\n    pub fn added_${n}(&self) -> usize {\n        ${n}\n    }\n\n`,
		}),
	},
	renamed,
	{
		kind: "type changed",
		back: "type changed back",
		change: (n) => ({
			file: hub,
			oldText: "pub fn haystack(&self)",
			newText: `pub fn haystack(&self, _added_${n}: u8)`,
		}),
	},
];

function isSource(path: string): boolean {
	return /^crates\/[\w-]+\/src\/.*\.rs$/.test(path);
}

export const regex: LargeProject = {
	name: "rust",
	title: "regex and others, rust-analyzer",
	program: "rust-analyzer",
	directory: () => cached("regex-1.11.1-2", prepare),
	env,
	hub,
	edits,
	breaking: renamed,
	breakingSymbol: "haystack",
	questions: { file: "crates/memchr/src/memchr.rs", before: "pub fn ", symbols: ["memchr", "memrchr", "memchr2"] },
	isSource,
	startBare: (ws, root) =>
		BareSide.start(ws, root, {
			server: {
				command: "rust-analyzer",
				args: [],
				languageId: "rust",
				// The bare client runs cargo itself; the server's own checks would compete for the processors.
				initializationOptions: {
					checkOnSave: false,
					cachePriming: { enable: false },
					diagnostics: { enable: false },
				},
			},
			prove: proveByCargo(ws),
		}),
	judge: judgeRust,
	othersMs: checkMs,
	comparesCodes: true,
	seeds: rustRules,
};
