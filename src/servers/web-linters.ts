import type { ServerConfig } from "../../server.ts";
import { typescriptFiles, typescriptLanguages } from "./typescript.ts";

/** Files with scripts in them: these linters get them, and so do the servers in `web.ts`. */
const componentLanguages = { vue: "vue", svelte: "svelte", astro: "astro" };
const scriptFiles = [...typescriptFiles, ...Object.keys(componentLanguages)];
const scriptLanguages = { ...typescriptLanguages, ...componentLanguages };
const eslintFiles = [
	...["js", "mjs", "cjs", "ts", "mts", "cts"].map((extension) => `eslint.config.${extension}`),
	".eslintrc",
	...["json", "js", "cjs", "yml", "yaml"].map((extension) => `.eslintrc.${extension}`),
];
const biomeFiles = ["biome.json", "biome.jsonc", ".biome.json", ".biome.jsonc"];
const tailwindFiles = ["js", "cjs", "mjs", "ts"].map((extension) => `tailwind.config.${extension}`);

/** Asked in addition to the language's own server, in projects that use them. */
export const webLinters: readonly ServerConfig[] = [
	{
		id: "eslint",
		runtime: "node",
		match: scriptFiles,
		role: "linter",
		command: "vscode-eslint-language-server",
		args: ["--stdio"],
		usedBy: { files: eslintFiles, mentions: { "package.json": ["eslintConfig"] } },
		rootMarkers: eslintFiles,
		languageId: scriptLanguages,
		strategy: "pull",
		// Its configuration is a program of the repository, and so are its plugins.
		runsRepositoryCode: true,
		settings: {
			"": {
				validate: "on",
				run: "onType",
				problems: { shortenToSingleLine: false },
				rulesCustomizations: [],
				nodePath: null,
				workingDirectory: { mode: "location" },
				experimental: {},
			},
		},
		install: { npm: ["vscode-langservers-extracted@4.10.0"] },
		homepage: "https://github.com/hrsh7th/vscode-langservers-extracted",
	},
	{
		id: "biome",
		match: [...scriptFiles, "css", "graphql", "gql", "json", "jsonc", "html"],
		role: "linter",
		command: "biome",
		args: ["lsp-proxy"],
		usedBy: { files: biomeFiles, packages: ["@biomejs/biome"] },
		rootMarkers: biomeFiles,
		languageId: {
			...scriptLanguages,
			graphql: "graphql",
			gql: "graphql",
			css: "css",
			json: "json",
			jsonc: "jsonc",
			html: "html",
		},
		// Until it has read its configuration it publishes syntax errors alone, with a version.
		loading: { log: "^Server initialized", opensAfter: true },
		// The program is a proxy: it starts the server, and reaches it through a socket in its cache.
		sandbox: { sockets: true },
		install: { npm: ["@biomejs/biome@2.6.8"], brew: ["biome"] },
		homepage: "https://biomejs.dev",
	},
	{
		id: "oxlint",
		match: scriptFiles,
		role: "linter",
		command: "oxlint",
		args: ["--lsp"],
		strategy: "pull",
		candidates: [{ command: "oxc_language_server", args: [] }],
		usedBy: { files: [".oxlintrc.json", ".oxlintrc.jsonc", "oxlint.config.ts"], packages: ["oxlint"] },
		rootMarkers: [".oxlintrc.json", ".oxlintrc.jsonc", "oxlint.config.ts"],
		languageId: scriptLanguages,
		// Its configuration may be a program, and may name plugins.
		runsRepositoryCode: true,
		install: { npm: ["oxlint@1.94.0"] },
		homepage: "https://oxc.rs",
	},
	{
		id: "stylelint",
		runtime: "node",
		match: ["css", "scss", "less", "sass", "vue", "astro"],
		role: "linter",
		command: "stylelint-lsp",
		args: ["--stdio"],
		candidates: [{ command: "stylelint-language-server", args: ["--stdio"] }],
		usedBy: { files: [".stylelintrc*", "stylelint.config.*"], mentions: { "package.json": ['"stylelint":'] } },
		rootMarkers: [".stylelintrc*", "stylelint.config.*"],
		languageId: { css: "css", scss: "scss", less: "less", sass: "sass", vue: "vue", astro: "astro" },
		// It loads the Stylelint, the configuration and the plugins of the project.
		runsRepositoryCode: true,
		install: { npm: ["stylelint-lsp@1.2.4"] },
		homepage: "https://github.com/bmatcuk/stylelint-lsp",
	},
	{
		id: "tailwindcss",
		runtime: "node",
		match: ["css", "scss", "less", "html", "tsx", "jsx", "vue", "svelte", "astro", "mdx", "erb", "heex"],
		role: "framework",
		command: "tailwindcss-language-server",
		args: ["--stdio"],
		usedBy: { files: tailwindFiles, packages: ["tailwindcss"] },
		rootMarkers: tailwindFiles,
		languageId: {
			...scriptLanguages,
			css: "css",
			scss: "scss",
			less: "less",
			html: "html",
			mdx: "mdx",
			erb: "erb",
			heex: "phoenix-heex",
		},
		// It loads the project's own Tailwind and its configuration, which is a program.
		runsRepositoryCode: true,
		settings: { tailwindCSS: { validate: true }, editor: { tabSize: 2 } },
		install: { npm: ["@tailwindcss/language-server@0.16.0"] },
		homepage: "https://github.com/tailwindlabs/tailwindcss-intellisense",
	},
];
