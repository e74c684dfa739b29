import type { Language } from "./language.ts";

const right = "def f(x: int) -> int:\n    return x\n";
const wrong = "def f(x: int) -> str:\n    return x\n";

/** Type checkers of Python, and Ruff beside one. */
export const pythonCases: readonly Language[] = [
	{
		server: "pyright",
		strategy: "pull",
		program: "pyright-langserver",
		project: { "pyproject.toml": "[project]\nname = 'x'\n" },
		file: "a.py",
		right,
		wrong,
		line: 2,
		says: "reportReturnType",
	},
	{
		server: "basedpyright",
		strategy: "pull",
		program: "basedpyright-langserver",
		project: { "pyproject.toml": "[project]\nname = 'x'\n\n[tool.basedpyright]\n" },
		file: "a.py",
		right,
		wrong,
		line: 2,
		says: "reportReturnType",
	},
	{
		server: "ty",
		strategy: "pull",
		program: "ty",
		project: { "pyproject.toml": "[project]\nname = 'x'\n\n[tool.ty.rules]\n" },
		file: "a.py",
		right,
		wrong,
		line: 2,
		says: "Return type",
	},
	{
		server: "pyrefly",
		strategy: "push",
		program: "pyrefly",
		trust: true,
		project: { "pyrefly.toml": "" },
		file: "a.py",
		right,
		wrong,
		line: 2,
		says: "bad-return",
	},
	{
		server: "ruff",
		strategy: "pull",
		program: "ruff",
		project: { "ruff.toml": "" },
		file: "a.py",
		right: "import os\n\nprint(os.sep)\n",
		wrong: "print(os.sep)\n",
		line: 1,
		says: "F821",
	},
	{
		server: "jedi-language-server",
		strategy: "versioned-push",
		program: "jedi-language-server",
		// So that it is the person's word that no type checker is asked.
		trust: true,
		project: {
			".pi-lsp.json": '{ "disable": ["pyright", "basedpyright", "ty", "pyrefly", "pylsp"] }',
			"requirements.txt": "",
		},
		file: "a.py",
		right,
		wrong: "def f(x: int) -> int\n    return x\n",
		line: 1,
		says: "SyntaxError",
	},
];
