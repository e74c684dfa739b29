import type { Judgements } from "./judgement.ts";

export const pythonJudgements: Judgements = {
	pyright: {
		runs: "nothing of the tree: python3 of PATH at start, which takes the working directory off sys.path first",
		reads: "the search paths of that interpreter; of the project's own only after trust",
		writes: "only its own: files by which requests are cancelled, in the temporary directory",
		fetches: "nothing",
		needs: { ours: "the project's interpreter is handed on with trust alone (src/project/python-environment.ts)" },
		source: [
			"microsoft/pyright packages/pyright-internal/src/common/fullAccessHost.ts:388",
			"microsoft/pyright packages/pyright-internal/src/common/fullAccessHost.ts:29",
		],
	},
	basedpyright: {
		runs: "nothing of the tree: python3 of PATH at start, as pyright",
		reads: "the search paths of that interpreter; of the project's own only after trust",
		writes: "only its own: .basedpyright/baseline.json where there is one, after a save; cancellation files",
		fetches: "nothing",
		needs: { ours: "the project's interpreter is handed on with trust alone (src/project/python-environment.ts)" },
		source: [
			"DetachHead/basedpyright packages/pyright-internal/src/common/fullAccessHost.ts:388",
			"DetachHead/basedpyright packages/pyright-internal/src/languageServerBase.ts:1895",
		],
	},
	ty: {
		runs: "uv of PATH for the environment of a workspace or script, which may run the project's Python; refused untrusted",
		reads: "ty.toml of the person's configuration, site-packages of the environment it finds",
		writes: "nothing",
		fetches: "nothing by itself; uv is what would",
		needs: { initializationOptions: { untrustedWorkspace: true } },
		source: [
			"astral-sh/ruff crates/ty_server/src/system.rs:322",
			"astral-sh/ruff crates/ty_project/src/uv/metadata.rs:35",
		],
	},
	pyrefly: {
		runs: "the interpreter of its configuration or of .venv, the `command` of [build-system], conda, at start",
		reads: "site-packages of that interpreter, pyrefly.toml and pyproject.toml of all parents",
		writes: "nothing",
		fetches: "nothing",
		needs: "trust",
		source: [
			"facebook/pyrefly crates/pyrefly_config/src/environment/environment.rs:138",
			"facebook/pyrefly crates/pyrefly_config/src/environment/interpreters.rs:273",
			"facebook/pyrefly crates/pyrefly_build/src/query/custom.rs:71",
		],
	},
	pylsp: {
		runs: "Rope's .ropeproject/config.py, Pylint's init-hook and plugins, flake8's plugins, at start and on lint",
		reads: "the interpreter's site-packages, configuration of flake8, pylint and others of all parents",
		writes: ".ropeproject in the workspace, jedi's own cache",
		fetches: "nothing",
		needs: "trust",
		source: [
			"python-lsp/python-lsp-server pylsp/workspace.py:80",
			"python-lsp/python-lsp-server pylsp/plugins/pylint_lint.py:285",
		],
	},
	"jedi-language-server": {
		runs: "nothing of the tree: the Python of VIRTUAL_ENV or PATH in a process that loads no extension modules of the project",
		reads: "site-packages of that interpreter; .jedi/project.json is not read",
		writes: "only its own cache of parsed modules",
		fetches: "nothing",
		needs: "nothing",
		source: [
			"pappasam/jedi-language-server jedi_language_server/server.py:226",
			"davidhalter/jedi jedi/api/environment.py:83",
		],
	},
	ruff: {
		runs: "nothing; uv of PATH only to format, where a client's settings say so",
		reads: "ruff.toml and pyproject.toml of all parents and of the person's configuration, what `extend` names",
		writes: "nothing: its cache belongs to the command line",
		fetches: "nothing",
		needs: "nothing",
		source: ["astral-sh/ruff crates/ruff_server/src/format.rs:226"],
	},
};
