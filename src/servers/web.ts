import type { ServerConfig } from "../../server.ts";

const projectFiles = ["package.json", "tsconfig.json", "jsconfig.json"];

/** These take TypeScript for scripts from pi-lsp, and the compiler of templates from the project. */
const component = {
	rootMarkers: projectFiles,
	rootRule: "topmost",
	looseFiles: true,
	runsRepositoryCode: true,
	initializationOptions: { typescript: { tsdk: "{package:typescript-5}/lib" } },
} as const;

/**
 * The first push after a change has its version and none of TypeScript's errors. A pull, which is not offered where
 * files depend on each other, is answered in full.
 */
const volar = { strategy: "pull", pullsUnoffered: true } as const;

/** Files that are called JSON and may hold comments. */
const jsonWithComments = [
	"tsconfig.json",
	"tsconfig.*.json",
	"jsconfig.json",
	".eslintrc.json",
	".babelrc",
	".babelrc.json",
	".swcrc",
	".jshintrc",
	"deno.json",
	"turbo.json",
	"wrangler.json",
	"devcontainer.json",
	"api-extractor.json",
	".vscode/*.json",
];

/** Components, markup, style sheets and JSON. */
export const webServers: readonly ServerConfig[] = [
	{
		...component,
		...volar,
		id: "vue-language-server",
		runtime: "node",
		match: ["vue"],
		command: "vue-language-server",
		args: ["--stdio"],
		languageId: "vue",
		judgesScripts: true,
		// In its hybrid mode it asks the editor's own TypeScript server for types; from version 3 on there is no other.
		initializationOptions: { ...component.initializationOptions, vue: { hybridMode: false } },
		install: { npm: ["@vue/language-server@2.2.12"] },
		homepage: "https://github.com/vuejs/language-tools",
	},
	{
		...component,
		id: "svelte-language-server",
		runtime: "node",
		match: ["svelte"],
		command: "svelteserver",
		args: ["--stdio"],
		languageId: "svelte",
		strategy: "pull",
		install: { npm: ["svelte-language-server@0.18.4"] },
		homepage: "https://github.com/sveltejs/language-tools",
	},
	{
		...component,
		...volar,
		id: "astro-language-server",
		runtime: "node",
		match: ["astro"],
		command: "astro-ls",
		args: ["--stdio"],
		languageId: "astro",
		install: { npm: ["@astrojs/language-server@2.17.1"] },
		homepage: "https://github.com/withastro/language-tools",
	},
	{
		...component,
		id: "mdx-language-server",
		runtime: "node",
		match: ["mdx"],
		command: "mdx-language-server",
		args: ["--stdio"],
		languageId: "mdx",
		strategy: "pull",
		install: { npm: ["@mdx-js/language-server@0.6.4"] },
		homepage: "https://github.com/mdx-js/mdx-analyzer",
	},
	{
		id: "angular-language-server",
		runtime: "node",
		match: ["ts", "html"],
		role: "framework",
		command: "ngserver",
		// It looks for TypeScript and for Angular's part in the project's packages.
		args: ["--stdio", "--tsProbeLocations", "{root}", "--ngProbeLocations", "{root}"],
		usedBy: { files: ["angular.json"], packages: ["@angular/core"] },
		rootMarkers: ["angular.json", "nx.json"],
		languageId: { ts: "typescript", html: "html" },
		runsRepositoryCode: true,
		idleMinutes: 30,
		install: { npm: ["@angular/language-server"] },
		homepage: "https://github.com/angular/vscode-ng-language-service",
	},
	{
		id: "ember-language-server",
		runtime: "node",
		match: ["hbs"],
		command: "ember-language-server",
		args: ["--stdio"],
		usedBy: { files: ["ember-cli-build.js"], packages: ["ember-source"] },
		exclusive: true,
		rootMarkers: ["ember-cli-build.js", "package.json"],
		languageId: "handlebars",
		// Addons of the project extend it.
		runsRepositoryCode: true,
		install: { npm: ["@ember-tooling/ember-language-server"] },
		homepage: "https://github.com/ember-tooling/ember-language-server",
	},
	...vscodeServers(
		{
			name: "json",
			isSentSettings: true,
			keepsSchemas: true,
			// The server asks the client for a schema that a document names, instead of fetching it.
			restricted: { initializationOptions: { provideFormatter: false, handledSchemaProtocols: [] } },
			match: ["json", "jsonc", "webmanifest", "geojson"],
			names: [".babelrc", ".swcrc", ".jshintrc", ".jscsrc"],
			languageId: {
				...Object.fromEntries(jsonWithComments.map((name) => [name, "jsonc"])),
				jsonc: "jsonc",
				"*": "json",
			},
			settings: { json: { validate: { enable: true } } },
			// What a schema forbids. Its other warnings are duplicate keys (520), deprecations (2), and schemas that it cannot load.
			warningsThatAreErrors: ["", "0", "1"],
		},
		{
			name: "html",
			match: ["html", "htm", "xhtml"],
			languageId: "html",
			settings: {
				html: { validate: { scripts: true, styles: true } },
				css: { validate: true },
				// Without them it fails inside and reports no diagnostics for anything.
				"js/ts": { implicitProjectConfig: { strictNullChecks: true, strictFunctionTypes: true } },
			},
		},
		{
			name: "css",
			match: ["css", "scss", "less"],
			languageId: { css: "css", scss: "scss", less: "less" },
			settings: { css: { validate: true }, scss: { validate: true }, less: { validate: true } },
		},
	),
	{
		id: "graphql-language-service",
		runtime: "node",
		match: ["graphql", "gql", "graphqls"],
		command: "graphql-lsp",
		args: ["server", "-m", "stream"],
		rootMarkers: [".graphqlrc*", "graphql.config.*", ".graphql.config.*"],
		languageId: "graphql",
		// graphql.config.js is a program.
		runsRepositoryCode: true,
		install: { npm: ["graphql-language-service-cli"] },
		homepage: "https://github.com/graphql/graphiql/tree/main/packages/graphql-language-service-cli",
	},
];

/** The servers that come out of VS Code and speak alike. */
function vscodeServers(
	...kinds: readonly (Pick<
		ServerConfig,
		| "match"
		| "names"
		| "languageId"
		| "settings"
		| "restricted"
		| "warningsThatAreErrors"
		| "isSentSettings"
		| "keepsSchemas"
	> & {
		readonly name: string;
	})[]
): ServerConfig[] {
	return kinds.map(({ name, ...kind }) => ({
		...kind,
		id: `${name}-language-server`,
		runtime: "node",
		command: `vscode-${name}-language-server`,
		args: ["--stdio"],
		rootMarkers: [".git"],
		looseFiles: true,
		strategy: "pull",
		initializationOptions: { provideFormatter: false },
		install: { npm: ["vscode-langservers-extracted@4.10.0"] },
		homepage: "https://github.com/hrsh7th/vscode-langservers-extracted",
	}));
}
