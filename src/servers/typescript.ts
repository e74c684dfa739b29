import type { ServerConfig } from "../../server.ts";
import { nowhere } from "./unreachable.ts";

/** File name extensions of TypeScript and JavaScript. */
export const typescriptFiles = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];

/** Their language ids. */
export const typescriptLanguages = {
	ts: "typescript",
	mts: "typescript",
	cts: "typescript",
	tsx: "typescriptreact",
	js: "javascript",
	mjs: "javascript",
	cjs: "javascript",
	jsx: "javascriptreact",
};

const markers = [
	"tsconfig.json",
	"jsconfig.json",
	"package.json",
	"pnpm-workspace.yaml",
	"package-lock.json",
	"pnpm-lock.yaml",
	"yarn.lock",
	"bun.lock",
];

const shared = {
	match: typescriptFiles,
	alternative: "typescript",
	rootMarkers: markers,
	rootRule: "topmost",
	looseFiles: true,
	languageId: typescriptLanguages,
	idleMinutes: 30,
	openFilesOnlyWithout: ["tsconfig.json", "jsconfig.json"],
} as const;

/** All are off by default; they are computed only for a request. */
const inlayHints = {
	parameterNames: { enabled: "literals", suppressWhenArgumentMatchesName: true },
	parameterTypes: { enabled: true },
	variableTypes: { enabled: true },
	propertyDeclarationTypes: { enabled: true },
	functionLikeReturnTypes: { enabled: true },
	enumMemberValues: { enabled: true },
};

/** TypeScript 7's settings. Without the first two it runs `npm install` for types of packages that a project imports. */
const language = {
	disableAutomaticTypeAcquisition: true,
	tsserver: { automaticTypeAcquisition: { enabled: false } },
	inlayHints,
};

/**
 * A lint plugin is a program of the repository; a save would download what a new import names, and a completion asks the
 * host of an import.
 */
const denoSettings = { enable: true, lint: false, cacheOnSave: false, suggest: { imports: { autoDiscover: false } } };

/** TypeScript and JavaScript: the compiler of the project's own major version, or Deno. */
export const typescriptServers: readonly ServerConfig[] = [
	{
		...shared,
		id: "typescript",
		command: "tsc",
		args: ["--lsp", "--stdio"],
		bundled: {
			package: "typescript",
			script: "bin/tsc",
			native: { package: "@typescript/typescript-{platform}-{arch}", file: "lib/tsc" },
		},
		typescript: { from: 7 },
		ecosystem: "node",
		strategy: "pull",
		pullsUnopened: true,
		withoutFile: "imports",
		importsAreDeclarations: true,
		missesRequired: true,
		// Warnings only: otherwise each edit writes lines to the log, which wake the daemon.
		initializationOptions: { logVerbosity: 4 },
		// Else `noUnusedLocals` and the like are warnings; `tsc` fails on them.
		settings: { "js/ts": { reportStyleChecksAsWarnings: false }, typescript: language, javascript: language },
		maxSymbols: 256,
		install: { npm: ["typescript@7"] },
		homepage: "https://www.typescriptlang.org",
	},
	{
		...shared,
		id: "typescript-language-server",
		ecosystem: "node",
		// tsserver moves a document to a nearer project only when it is opened again.
		refresh: { reopen: ["tsconfig.json", "jsconfig.json"] },
		runtime: "node",
		command: "typescript-language-server",
		args: ["--stdio"],
		bundled: { package: "typescript-language-server", script: "lib/cli.mjs" },
		typescript: { from: 4, to: 6 },
		strategy: "tsserver",
		pullsUnopened: true,
		withoutFile: "imports",
		initializationOptions: {
			hostInfo: "pi-lsp",
			// It would run npm to fetch types.
			disableAutomaticTypingAcquisition: true,
			plugins: [],
			preferences: {
				includeInlayParameterNameHints: "literals",
				includeInlayFunctionParameterTypeHints: true,
				includeInlayVariableTypeHints: true,
				includeInlayPropertyDeclarationTypeHints: true,
				includeInlayFunctionLikeReturnTypeHints: true,
				includeInlayEnumMemberValueHints: true,
			},
			tsserver: {
				// Not the repository's own in node_modules.
				path: "{package:typescript-5}/lib/tsserver.js",
				// While the project loads, the syntax server answers `definition` wrongly.
				useSyntaxServer: "never",
				// The client notifies of every change on disk; how late the server's own watchers are is unknown.
				useClientFileWatcher: true,
			},
		},
		install: { npm: ["typescript-language-server"] },
		homepage: "https://github.com/typescript-language-server/typescript-language-server",
	},
	{
		...shared,
		id: "vtsls",
		ecosystem: "node",
		runtime: "node",
		command: "vtsls",
		args: ["--stdio"],
		typescript: { from: 4, to: 6 },
		// typescript-language-server comes with pi-lsp; this server is for users who ask for it.
		usedBy: { packages: ["@vtsls/language-server"] },
		// It publishes nothing for a file without diagnostics, but tsserver behind it can be asked.
		strategy: "tsserver",
		pullsUnopened: true,
		// It loads the plugins that tsconfig.json names.
		runsRepositoryCode: true,
		initializationOptions: { hostInfo: "pi-lsp" },
		settings: {
			typescript: { disableAutomaticTypeAcquisition: true, tsserver: { useSyntaxServer: "never" }, inlayHints },
			javascript: { inlayHints },
			vtsls: { typescript: { globalTsdk: "{package:typescript-5}/lib" }, autoUseWorkspaceTsdk: false },
		},
		install: { npm: ["@vtsls/language-server@0.3.0"] },
		homepage: "https://github.com/yioneko/vtsls",
	},
	{
		...shared,
		id: "deno",
		command: "deno",
		args: ["lsp"],
		usedBy: { files: ["deno.json", "deno.jsonc"] },
		// Packages of npm that are published to JSR as well have both; their own compiler is tsc.
		notUsedBy: { files: ["tsconfig.json"], packages: ["typescript"] },
		exclusive: true,
		rootMarkers: ["deno.json", "deno.jsonc"],
		rootRule: "nearest",
		looseFiles: false,
		environment: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
		initializationOptions: denoSettings,
		settings: { deno: denoSettings },
		// Completions ask the hosts in imports and .npmrc: through a proxy that does not exist.
		restricted: { environment: { HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere, NO_PROXY: "" } },
		// It contains the downloaded modules.
		sandbox: { reads: { DENO_DIR: "deno" } },
		install: { npm: ["deno@2.9.6"], brew: ["deno"], cargo: ["deno"], glibcOnly: ["npm"] },
		homepage: "https://deno.com",
	},
];
