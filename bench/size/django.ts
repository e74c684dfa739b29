import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folder } from "../../test/live/languages.ts";
import { bareServers } from "../languages.ts";
import { pyrightOracle } from "../oracle-pyright.ts";
import { cached, keep, run, unpackWheel } from "../registries.ts";
import { BareSide } from "./bare-side.ts";
import type { LargeProject, ScriptedEdit } from "./project.ts";
import { pythonRules } from "./seeds.ts";

const version = "5.2";
const hub = "django/utils/functional.py";

/** Django's own package, and a virtual environment with the two packages that it imports. */
function prepare(into: string): void {
	unpackWheel(into, `django==${version}`);
	keep(into, "django");
	run("python3", ["-m", "venv", "--without-pip", ".venv"], into);
	const [python = ""] = readdirSync(join(into, ".venv/lib"));
	const target = `.venv/lib/${python}/site-packages`;
	run("python3", ["-m", "pip", "install", "--quiet", "--target", target, "asgiref", "sqlparse"], into);
	writeFileSync(
		join(into, "pyproject.toml"),
		`[project]\nname = "corpus"\n\n[tool.pyright]\ninclude = ["django"]\nvenvPath = "."\nvenv = ".venv"\n`,
	);
}

const renamed: ScriptedEdit = {
	kind: "export renamed",
	back: "export renamed back",
	change: (n) => ({ file: hub, oldText: "class cached_property:", newText: `class cached_property${n}:` }),
};

const unpickled = "    return lazy(func, *resultclasses)(*args, **kwargs)";

const edits: readonly ScriptedEdit[] = [
	{
		kind: "comment",
		back: "comment",
		change: (n) => ({
			file: hub,
			oldText: "def partition(predicate, values):",
			newText: `# Note ${n}.\ndef partition(predicate, values):`,
		}),
	},
	{
		kind: "formatting",
		back: "formatting",
		change: (n) => ({ file: hub, oldText: "def lazystr(text):", newText: `def lazystr(${" ".repeat(n)}text):` }),
	},
	{
		kind: "private body",
		back: "private body",
		change: (n) => ({ file: hub, oldText: unpickled, newText: `    note = ${n}\n${unpickled}` }),
	},
	{
		kind: "comment in another file",
		back: "comment in another file",
		change: (n) => ({
			file: "django/utils/text.py",
			oldText: "def slugify(value, allow_unicode=False):",
			newText: `# Note ${n}.\ndef slugify(value, allow_unicode=False):`,
		}),
	},
	{
		kind: "error in a function body",
		back: "error in a function body fixed",
		change: (n) => ({ file: hub, oldText: unpickled, newText: unpickled.replace("lazy(", `missing${n}(`) }),
	},
	{
		kind: "export added",
		back: "unused export removed",
		change: (n) => ({
			file: hub,
			oldText: "def partition(predicate, values):",
			newText: `def added_${n}(value: int) -> int:\n    return value\n\n\ndef partition(predicate, values):`,
		}),
	},
	renamed,
	{
		kind: "type changed",
		back: "type changed back",
		change: (n) => ({
			file: hub,
			oldText: "    def __init__(self, func):\n        self.real_func = func",
			newText: `    def __init__(self, func, added_${n}):\n        self.real_func = func`,
		}),
	},
];

function isSource(path: string): boolean {
	return path.startsWith("django/") && path.endsWith(".py");
}

export const django: LargeProject = {
	name: "django",
	title: "Django, pyright",
	program: "pyright-langserver",
	directory: () => cached(`django-${version}`, prepare),
	hub,
	hasLongSession: true,
	edits,
	breaking: renamed,
	breakingSymbol: "cached_property",
	questions: {
		file: "django/utils/html.py",
		before: "def ",
		symbols: ["escape", "linebreaks", "strip_tags", "avoid_wrapping"],
	},
	isSource,
	startBare: (ws, root) =>
		BareSide.start(ws, root, { server: bareServers.pyright(), ready: (client) => client.pullable(), opens: true }),
	judge: async (_, root) =>
		(await pyrightOracle(join(folder, "node_modules/pyright/index.js"), root, isSource)()).errors,
	comparesCodes: true,
	seeds: pythonRules,
};
