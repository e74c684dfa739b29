import type { Judgements } from "./judgement.ts";

export const webLinterJudgements: Judgements = {
	eslint: {
		runs: "the project's ESLint, eslint.config.js or .eslintrc.js, plugins and parsers, on every lint",
		reads: "configuration of all parents, node_modules",
		writes: "nothing by itself; a rule may",
		fetches: "nothing by itself; a rule may",
		needs: "trust",
		source: ["microsoft/vscode-eslint server/src/eslint.ts:1003"],
	},
	biome: {
		runs: "nothing outside of its own engines: plugins in GritQL and JavaScript have no files, programs or network",
		reads: "biome.json of all parents and of the person's configuration, packages that `extends` names",
		writes: "only its own cache: logs and the socket of a second process of itself",
		fetches: "nothing: `$schema` and `extends` by URL are not followed",
		needs: "nothing",
		source: [
			"biomejs/biome crates/biome_js_runtime/src/context.rs:71",
			"biomejs/biome crates/biome_plugin_loader/src/lib.rs:60",
			"biomejs/biome crates/biome_cli/src/service/unix.rs:129",
		],
	},
	oxlint: {
		runs: "oxlint.config.ts and the jsPlugins of .oxlintrc.json in Node, at start; tsgolint of node_modules",
		reads: "configuration of parents, tsconfig.json",
		writes: "nothing by itself; a plugin may",
		fetches: "nothing by itself; a plugin may",
		needs: "trust",
		source: ["oxc-project/oxc apps/oxlint/src/lsp/server_linter.rs:102"],
	},
	stylelint: {
		runs: "the project's stylelint by require, stylelint.config.js, its plugins and custom syntaxes",
		reads: "configuration of all parents and of the home directory",
		writes: "nothing by itself; a plugin may",
		fetches: "nothing by itself; plugins may",
		needs: "trust",
		source: ["bmatcuk/stylelint-lsp src/settings.ts:183"],
	},
	tailwindcss: {
		runs: "tailwind.config.js, .pnp.cjs, the project's tailwindcss, postcss and plugins, by require, at start",
		reads: "node_modules of the root and its parents",
		writes: "nothing by itself; the configuration may",
		fetches: "nothing by itself; the configuration may",
		needs: "trust",
		source: [
			"tailwindlabs/tailwindcss-intellisense packages/tailwindcss-language-server/src/projects.ts:463",
			"tailwindlabs/tailwindcss-intellisense packages/tailwindcss-language-server/src/projects.ts:431",
		],
	},
};
