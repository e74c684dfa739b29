import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bareServers } from "../languages.ts";
import { tscOracle } from "../oracle.ts";
import { cached, json, keep, run, unpackNpm } from "../registries.ts";
import { BareSide } from "./bare-side.ts";
import { proveByTsserver } from "./bare-tsserver.ts";
import type { LargeProject, ScriptedEdit } from "./project.ts";
import { typescriptRules } from "./seeds.ts";

const version = "3.21.0";
const hub = "src/Option.ts";

/** The sources of effect with their dependencies, and a configuration like that of their own build. */
function prepare(into: string, major: 5 | 7): void {
	unpackNpm(into, `effect@${version}`);
	keep(into, "src");
	writeFileSync(
		join(into, "package.json"),
		json({
			name: "corpus",
			version: "1.0.0",
			type: "module",
			private: true,
			dependencies: { "@standard-schema/spec": "^1.0.0", "fast-check": "^3.23.1" },
			devDependencies: { "@types/node": "^22.0.0", ...(major === 5 ? { typescript: "~5.9.0" } : {}) },
		}),
	);
	const compilerOptions = {
		target: "es2022",
		module: "nodenext",
		lib: ["es2022", "dom"],
		types: ["node"],
		strict: true,
		exactOptionalPropertyTypes: true,
		skipLibCheck: true,
		noEmit: true,
	};
	writeFileSync(join(into, "tsconfig.json"), json({ compilerOptions, include: ["src"] }));
	run("npm", ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--no-package-lock"], into);
	// pi-lsp's own compilers are used; the manifest only chooses between them.
	rmSync(join(into, "node_modules/typescript"), { recursive: true, force: true });
	rmSync(join(into, "node_modules/.bin"), { recursive: true, force: true });
}

const renamed: ScriptedEdit = {
	kind: "export renamed",
	back: "export renamed back",
	change: (n) => ({
		file: hub,
		oldText: "export const isNone: <A>(",
		newText: `export const isNone${n}: <A>(`,
	}),
};

const edits: readonly ScriptedEdit[] = [
	{
		kind: "comment",
		back: "comment",
		change: (n) => ({
			file: hub,
			oldText: "export const productMany = <A>(",
			newText: `// Note ${n}.\nexport const productMany = <A>(`,
		}),
	},
	{
		kind: "formatting",
		back: "formatting",
		change: (n) => ({
			file: hub,
			oldText: "const out: [A, ...Array<A>] = [self.value]",
			newText: `const out: [A, ...Array<A>] =${" ".repeat(n + 2)}[self.value]`,
		}),
	},
	{
		kind: "private body",
		back: "private body",
		change: (n) => ({
			file: hub,
			oldText: "  const out: [A, ...Array<A>] = [self.value]\n",
			newText: `  void ${n}\n  const out: [A, ...Array<A>] = [self.value]\n`,
		}),
	},
	{
		kind: "comment in another file",
		back: "comment in another file",
		change: (n) => ({
			file: "src/internal/option.ts",
			oldText: `const NoneHash = Hash.hash("None")`,
			newText: `// Note ${n}.\nconst NoneHash = Hash.hash("None")`,
		}),
	},
	{
		kind: "error in a function body",
		back: "error in a function body fixed",
		change: (n) => ({
			file: hub,
			oldText: "const out: [A, ...Array<A>] = [self.value]",
			newText: `const out: [A, ...Array<A>] = [${n}]`,
		}),
	},
	{
		kind: "export added",
		back: "unused export removed",
		change: (n) => ({
			file: hub,
			oldText: "const _equivalence = Equal.equivalence()",
			newText: `export const added${n} = ${n}\n\nconst _equivalence = Equal.equivalence()`,
		}),
	},
	renamed,
	{
		kind: "type changed",
		back: "type changed back",
		change: (n) => ({
			file: hub,
			oldText: "export const isNone: <A>(self: Option<A>) => self is None<A> =",
			newText: `export const isNone: <A>(self${n}: Option<A>) => boolean =`,
		}),
	},
];

function isSource(path: string): boolean {
	return path.startsWith("src/") && path.endsWith(".ts");
}

function effect(major: 5 | 7): LargeProject {
	return {
		name: `effect${major}`,
		title: `effect, TypeScript ${major === 5 ? "5.9" : "7"}`,
		directory: () => cached(`effect-${version}-${major}`, (into) => prepare(into, major)),
		hub,
		edits,
		breaking: renamed,
		breakingSymbol: "isNone",
		questions: { file: "src/Either.ts", before: "export const ", symbols: ["isEither", "isLeft", "isRight", "right"] },
		formats: "find src -name '*.ts' -exec sed -i 's/^  /   /' {} +",
		isSource,
		startBare: (ws, root) =>
			BareSide.start(ws, root, major === 5 ? { server: bareServers.typescript5(), prove: proveByTsserver } : {}),
		judge: async (_, root) =>
			(await tscOracle(major === 5 ? "typescript-5" : "typescript", root, [["--noEmit"]], isSource)()).errors,
		comparesCodes: true,
		seeds: typescriptRules,
	};
}

export const effect7: LargeProject = effect(7);
export const effect5: LargeProject = effect(5);
