import { bareServers } from "../languages.ts";
import { cached, copyGoModule, goEnvironment } from "../registries.ts";
import { BareSide, pullItems } from "./bare-side.ts";
import { judgeGo } from "./judge-go.ts";
import type { LargeProject, ScriptedEdit } from "./project.ts";
import { goRules } from "./seeds.ts";

const module = "golang.org/x/tools@v0.28.0";
const hub = "go/analysis/analysis.go";

const renamed: ScriptedEdit = {
	kind: "export renamed",
	back: "export renamed back",
	change: (n) => ({ file: hub, oldText: "type Pass struct {", newText: `type Pass${n} struct {` }),
};

const described = `	return fmt.Sprintf("%s@%s", pass.Analyzer.Name, pass.Pkg.Path())`;
const named = "func (a *Analyzer) String() string { return a.Name }";

const edits: readonly ScriptedEdit[] = [
	{
		kind: "comment",
		back: "comment",
		change: (n) => ({ file: hub, oldText: named, newText: `// Note ${n}.\n${named}` }),
	},
	{
		kind: "formatting",
		back: "formatting",
		change: (n) => ({
			file: hub,
			oldText: named,
			newText: named.replace("return a", `return${" ".repeat(n + 1)}a`),
		}),
	},
	{
		kind: "private body",
		back: "private body",
		change: (n) => ({ file: hub, oldText: described, newText: `\t_ = ${n}\n${described}` }),
	},
	{
		kind: "comment in another file",
		back: "comment in another file",
		change: (n) => ({
			file: "go/analysis/diagnostic.go",
			oldText: "type TextEdit struct {",
			newText: `// Note ${n}.\ntype TextEdit struct {`,
		}),
	},
	{
		kind: "error in a function body",
		back: "error in a function body fixed",
		change: (n) => ({ file: hub, oldText: described, newText: `\t_ = fmt.Sprint(pass.Pkg)\n\treturn ${n}` }),
	},
	{
		kind: "export added",
		back: "unused export removed",
		change: (n) => ({ file: hub, oldText: named, newText: `func Added${n}() int { return ${n} }\n\n${named}` }),
	},
	renamed,
	{
		kind: "type changed",
		back: "type changed back",
		change: (n) => ({
			file: hub,
			oldText: "ReportRangef(rng Range, format string,",
			newText: `ReportRangef(rng Range, added${n} int, format string,`,
		}),
	},
];

function isSource(path: string): boolean {
	return path.endsWith(".go") && !path.includes("testdata/");
}

export const xtools: LargeProject = {
	name: "xtools",
	title: "x/tools, gopls",
	program: "gopls",
	directory: () => cached("x-tools-0.28.0", (into) => copyGoModule(into, module)),
	env: goEnvironment,
	hub,
	edits,
	breaking: renamed,
	breakingSymbol: "Pass",
	questions: {
		file: "go/ast/astutil/imports.go",
		before: "func ",
		symbols: ["AddImport", "AddNamedImport", "DeleteImport", "DeleteNamedImport"],
	},
	isSource,
	startBare: (ws, root) => BareSide.start(ws, root, { server: bareServers.gopls(), prove: pullItems }),
	judge: judgeGo,
	comparesCodes: false,
	seeds: goRules,
};
