import { unreachable } from "../unreachable.ts";
import type { Judgements } from "./judgement.ts";

export const documentJudgements: Judgements = {
	marksman: {
		runs: "nothing: it parses Markdown",
		reads: "marksman/config.toml of the person's configuration, ignore files",
		writes: "nothing; a table of contents only as an edit by the client",
		fetches: "nothing",
		needs: "nothing",
		source: ["artempyanykh/marksman Marksman/Config.fs:340", "artempyanykh/marksman Marksman/Folder.fs:400"],
	},
	"markdown-oxide": {
		runs: "nothing; an editor only by its command line",
		reads: "~/.config/moxide/settings and .moxide of the vault, notes of the whole root",
		writes: "nothing; a daily note only by a command",
		fetches: "nothing",
		needs: "nothing",
		source: ["Feel-ix-343/markdown-oxide src/vault/mod.rs:36", "Feel-ix-343/markdown-oxide src/commands.rs:91"],
	},
	texlab: {
		runs: "latexmk over a copy of latexmkrc, a program in Perl, at start; chktex of PATH; the build only on command",
		reads: "TeX's packages, files that `\\input` names, also outside",
		writes: "only its own: that copy in the temporary directory; onSave is off",
		fetches: "nothing",
		needs: { unless: [".latexmkrc", "latexmkrc"], settings: { texlab: { build: { onSave: false } } } },
		source: [
			"latex-lsp/texlab crates/parser/src/latexmkrc.rs:31",
			"latex-lsp/texlab crates/diagnostics/src/chktex.rs:58",
		],
	},
	tinymist: {
		runs: "nothing outside of Typst's evaluation: WebAssembly plugins have no files, programs or network",
		reads: "fonts of the system, packages of the person; files only below the root",
		writes: "only its own cache of packages; PDF export is switched off",
		fetches: "packages that a document imports, from packages.typst.org, not reached without trust",
		needs: {
			initializationOptions: { exportPdf: "never" },
			settings: { tinymist: { exportPdf: "never" } },
			environment: unreachable,
		},
		source: [
			"Myriad-Dreamin/tinymist crates/tinymist-package/src/registry.rs:31",
			"Myriad-Dreamin/tinymist crates/tinymist/src/task/export.rs:481",
		],
	},
	esbonio: {
		runs: "Sphinx in the Python that pyproject.toml names: conf.py and its extensions, at start",
		reads: "that Python's packages",
		writes: "a build directory in the person's cache, or where the configuration says",
		fetches: "inventories that intersphinx_mapping names",
		needs: "trust",
		source: ["swyddfa/esbonio lib/esbonio/esbonio/server/features/sphinx_manager/client_subprocess.py:381"],
	},
};
