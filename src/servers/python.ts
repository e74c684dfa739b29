import type { ServerConfig } from "../../server.ts";

const shared = {
	match: ["py", "pyi"],
	shebangs: ["python", "pypy", "uv"],
	languageId: "python",
} as const;

const projectFiles = ["pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"];

/** Python: one type checker, by what the project has configured, and Ruff. */
export const pythonServers: readonly ServerConfig[] = [
	pyright("pyright", "1.1.414", {
		usedBy: { files: ["pyrightconfig.json"], mentions: { "pyproject.toml": ["pyright"] } },
		// The fork reads pyrightconfig.json, too.
		notUsedBy: { mentions: { "pyproject.toml": ["basedpyright"] } },
		homepage: "https://microsoft.github.io/pyright",
	}),
	pyright("basedpyright", "1.40.1", {
		usedBy: { mentions: { "pyproject.toml": ["basedpyright"] } },
		homepage: "https://docs.basedpyright.com",
	}),
	{
		...shared,
		id: "ty",
		alternative: "python",
		command: "ty",
		args: ["server"],
		usedBy: { files: ["ty.toml"], mentions: { "pyproject.toml": ["[tool.ty"] } },
		rootMarkers: ["ty.toml", ...projectFiles],
		looseFiles: true,
		// Registered after the handshake.
		strategy: "pull",
		pullsUnopened: true,
		pullsWorkspace: true,
		// So that it offers `workspace/diagnostic`; nothing else is different, it checks what it is asked about.
		initializationOptions: { diagnosticMode: "workspace" },
		// It may ask uv for the environment of a workspace or a script, and that runs what they name.
		restricted: { initializationOptions: { diagnosticMode: "workspace", untrustedWorkspace: true } },
		idleMinutes: 30,
		install: { pip: ["ty==0.0.105"] },
		homepage: "https://docs.astral.sh/ty",
	},
	{
		...shared,
		id: "pyrefly",
		alternative: "python",
		command: "pyrefly",
		args: ["lsp"],
		usedBy: { files: ["pyrefly.toml"], mentions: { "pyproject.toml": ["pyrefly"] } },
		rootMarkers: ["pyrefly.toml", ...projectFiles],
		looseFiles: true,
		// It runs the interpreter that its configuration names, else .venv/bin/python, else one that imports `re.py` from its folder.
		runsRepositoryCode: true,
		idleMinutes: 30,
		install: { pip: ["pyrefly==1.4.1"] },
		homepage: "https://pyrefly.org",
	},
	{
		...shared,
		id: "pylsp",
		idleMinutes: 30,
		alternative: "python",
		command: "pylsp",
		args: [],
		usedBy: { mentions: { "pyproject.toml": ["python-lsp-server", "pylsp"], "setup.cfg": ["pylsp"] } },
		rootMarkers: projectFiles,
		looseFiles: true,
		// Rope runs .ropeproject/config.py, Pylint the init-hook of its configuration.
		runsRepositoryCode: true,
		install: { pip: ["python-lsp-server"] },
		homepage: "https://github.com/python-lsp/python-lsp-server",
	},
	{
		...shared,
		id: "jedi-language-server",
		idleMinutes: 30,
		alternative: "python",
		command: "jedi-language-server",
		args: [],
		parses: true,
		rootMarkers: projectFiles,
		looseFiles: true,
		strategy: "versioned-push",
		install: { pip: ["jedi-language-server==0.47.0"] },
		homepage: "https://github.com/pappasam/jedi-language-server",
	},
	{
		...shared,
		id: "ruff",
		role: "linter",
		command: "ruff",
		args: ["server"],
		strategy: "pull",
		usedBy: { files: ["ruff.toml", ".ruff.toml"], mentions: { "pyproject.toml": ["ruff"] } },
		rootMarkers: ["ruff.toml", ".ruff.toml", "pyproject.toml"],
		// The type checker tells of them, too.
		initializationOptions: { settings: { showSyntaxErrors: false } },
		install: { pip: ["ruff==0.17.6"], brew: ["ruff"] },
		homepage: "https://docs.astral.sh/ruff",
	},
];

/** Pyright and its fork differ in name only. */
function pyright(
	id: string,
	version: string,
	own: Pick<ServerConfig, "usedBy" | "notUsedBy" | "homepage">,
): ServerConfig {
	return {
		...shared,
		...own,
		id,
		runtime: "node",
		alternative: "python",
		command: `${id}-langserver`,
		args: ["--stdio"],
		rootMarkers: ["pyrightconfig.json", ...projectFiles],
		looseFiles: true,
		// Registered after the handshake. Pushes have the new version with the diagnostics of the old text.
		strategy: "pull",
		doubtfulUnchanged: true,
		withoutFile: "imports",
		findsModulesOnDisk: true,
		// Cancelled at the wrong moment, pyright 1.1.414 refuses this request for ever: "this._token.cancel is not a
		// function".
		uncancellable: ["textDocument/references"],
		ecosystem: "python",
		// Until then references come from the open file only.
		loading: { log: "^(Found \\d+ source files?|No source files found)" },
		// After a notification alone their change counts 100 ms later; after new settings at the next request.
		refresh: { settings: ["pyrightconfig.json", "pyproject.toml"] },
		settings: {
			python: { analysis: { diagnosticMode: "openFilesOnly", autoSearchPaths: true, useLibraryCodeForTypes: true } },
		},
		// PyPI's package contains the program itself.
		sandbox: { reads: { PYRIGHT_PYTHON_CACHE_DIR: "." } },
		idleMinutes: 30,
		install: { npm: [`${id}@${version}`] },
	};
}
