import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Files } from "../test/support/workspace.ts";
import type { BareServer } from "./bare-client.ts";
import { ceilingLine, makeCorpus } from "./corpus.ts";

/** A project in one language, and a file whose errors name the edit that caused them. */
export interface Project {
	readonly language: string;
	/** Without this program the project is left out; none for servers that pi-lsp contains. */
	readonly program?: string;
	readonly files: Files;
	readonly file: string;
	/** The file after the n-th edit: correct, or with one use of the name `missing<n>`. */
	readonly text: (n: number, wrong: boolean) => string;
}

const compiled = makeCorpus();

function typescriptProject(language: string, files: Files): Project {
	const [file = ""] = compiled.targets;
	const text = (n: number, wrong: boolean) =>
		(files[file] ?? "").replace(ceilingLine("10"), ceilingLine(wrong ? `missing${n}` : `${n}`));
	return { language, files, file, text };
}

/** The manifest declares TypeScript 5.9, so that this version checks the corpus. */
export function typescript5Files(files: Files): Files {
	return {
		...files,
		"package.json": `{ "name": "corpus", "type": "module", "devDependencies": { "typescript": "~5.9.0" } }\n`,
	};
}

export const typescript7Project: Project = typescriptProject("TypeScript 7", compiled.files);
export const typescript5Project: Project = typescriptProject("TypeScript 5.9", typescript5Files(compiled.files));

const pythonModules = 60;

function pythonModule(index: number, body = "    return total"): string {
	const imported = [1, 2, 5].map((step) => index - step).filter((other) => other >= 0);
	return `${imported.map((other) => `from part.module_${other} import Item${other}, make_${other}\n`).join("")}
from dataclasses import dataclass


@dataclass
class Item${index}:
    label: str
    weight: int
${imported.map((other) => `    from_${other}: Item${other}\n`).join("")}

def make_${index}(seed: int) -> Item${index}:
    return Item${index}("item", seed${imported.map((other) => `, make_${other}(seed)`).join("")})


def total_${index}(items: list[Item${index}]) -> int:
    total: int = sum(item.weight for item in items if item.label != "")
    labels = {item.label: item for item in items}
    total += max((len(label) for label in labels), default=0)
${body}
`;
}

export const pythonProject: Project = {
	language: "pyright",
	program: "pyright-langserver",
	files: {
		"pyproject.toml": `[project]\nname = "corpus"\n`,
		"part/__init__.py": "",
		...Object.fromEntries(
			Array.from({ length: pythonModules }, (_, index) => [`part/module_${index}.py`, pythonModule(index)]),
		),
	},
	file: "part/module_30.py",
	text: (n, wrong) => pythonModule(30, `    return total + ${wrong ? `missing${n}` : n}`),
};

const goFiles = 40;

function goFile(index: number): string {
	return `package corpus

type Item${index} struct {
	Label  string
	Weight int
}

func (item Item${index}) Score(factor int) int { return item.Weight*factor + len(item.Label) }

func Total${index}(items []Item${index}) int {
	total := 0
	for _, item := range items {
		total += item.Score(${index + 1})
	}
	return total
}
`;
}

/** Two other files use `Rate`. */
export function goRate(type: "int" | "string", n: number): string {
	const value = type === "int" ? `${n}` : `"${n}"`;
	return `package corpus\n\nfunc Rate() ${type} { return ${value} }\n`;
}

export const goBroken: readonly string[] = ["user_a.go", "user_b.go"];

export const goProject: Project = {
	language: "gopls",
	program: "gopls",
	files: {
		"go.mod": "module corpus\n\ngo 1.22\n",
		"rate.go": goRate("int", 1),
		"user_a.go": "package corpus\n\nfunc UserA() int { return Rate() + 1 }\n",
		"user_b.go": "package corpus\n\nfunc UserB() int {\n\tvar rate int = Rate()\n\treturn rate\n}\n",
		...Object.fromEntries(Array.from({ length: goFiles }, (_, index) => [`file${index}.go`, goFile(index)])),
	},
	file: "file20.go",
	text: (n, wrong) => `${goFile(20)}\nfunc Extra() int { return ${wrong ? `missing${n}` : n} }\n`,
};

const { resolve } = createRequire(import.meta.url);
const packageOf = (name: string) => dirname(resolve(`${name}/package.json`));

/** The servers as bare clients start them, with the options that affect the time of a question. */
export const bareServers = {
	typescript5: (): BareServer => ({
		command: process.execPath,
		args: [join(packageOf("typescript-language-server"), "lib/cli.mjs"), "--stdio"],
		languageId: "typescript",
		initializationOptions: {
			disableAutomaticTypingAcquisition: true,
			tsserver: { path: join(packageOf("typescript-5"), "lib/tsserver.js"), useSyntaxServer: "never" },
		},
	}),
	pyright: (): BareServer => ({ command: "pyright-langserver", args: ["--stdio"], languageId: "python" }),
	gopls: (): BareServer => ({
		command: "gopls",
		args: [],
		languageId: "go",
		initializationOptions: { pullDiagnostics: true, diagnosticsDelay: "0s" },
	}),
};
