import type { Language } from "./language.ts";

const right = "def f(x: int) -> int:\n    return x\n";
const wrong = "def f(x: int) -> str:\n    return x\n";

/** Type checkers of Python, and Ruff together with one. */
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
		// For an unknown name the diagnostic of pyright is the one reported.
		right: "for a in range(2):\n\tprint(a)\n",
		wrong: "for a in range(2):\n\tprint('%d %d' % (a,))\n",
		line: 2,
		says: "F507",
		severity: "warning",
	},
	{
		server: "jedi-language-server",
		strategy: "versioned-push",
		program: "jedi-language-server",
		// The user's setting makes that no type checker is asked.
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
