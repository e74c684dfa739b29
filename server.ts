/**
 * The built-in language servers, as data. A repository or a person adds to them in `.pi-lsp.json` and the user
 * configuration; `src/workspace/config.ts` is the only reader of this list.
 */

/** How a server's diagnostics are known to belong to exactly this content (design.md section 4). */
export type Strategy = "pull" | "tsserver" | "versioned-push" | "push" | "flycheck";

/** A program that comes with pi-lsp as an npm dependency. */
export interface BundledProgram {
	/** The npm package, as it is named in our package.json. */
	readonly package: string;
	/** A JavaScript file of the package, run with Node. */
	readonly script: string;
	/** A native executable of a platform package, preferred where it is there: `{platform}` and `{arch}` are Node's. */
	readonly native?: { readonly package: string; readonly file: string };
}

export interface ServerConfig {
	readonly id: string;
	/** File name extensions without the dot. */
	readonly match: readonly string[];
	/** Whole file names. */
	readonly names?: readonly string[];
	/** A program on PATH (entries inside the workspace do not count) or an absolute path. */
	readonly command: string;
	readonly args: readonly string[];
	/** Files that mark a project's root. */
	readonly rootMarkers: readonly string[];
	/** The document's languageId, or one by extension with `*` for the rest. */
	readonly languageId: string | Readonly<Record<string, string>>;
	/** `nearest` (default): the closest directory with a marker. `topmost`: the highest one inside the workspace. */
	readonly rootRule?: "nearest" | "topmost";
	/** True for servers that can work on a file without a project; others answer LSP_NO_PROJECT_ROOT. */
	readonly looseFiles?: boolean;
	/** `linter`: a second opinion beside the language's own server, where the project uses it. */
	readonly role?: "language" | "linter";
	/** Of the servers with the same name here, the first that is installed is used. */
	readonly alternative?: string;
	readonly strategy?: Strategy;
	/** True if the answer to a pull is right for files that were never opened (TypeScript 7); pyright answers empty. */
	readonly pullsUnopened?: boolean;
	readonly bundled?: BundledProgram;
	/** The major versions of TypeScript whose projects this server judges rightly, both ends included. */
	readonly typescript?: { readonly from: number; readonly to?: number };
	/** Strings in it may begin with `{package:NAME}`, the directory of one of our own dependencies. */
	readonly initializationOptions?: unknown;
	/** Answers to `workspace/configuration`, by section; the section "" answers a request without one. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Where what its files import comes from: what explains an import that is not found, and which settings are computed. */
	readonly ecosystem?: "node" | "python";
	/** What a change of files beside its documents takes, other than the notification that the files have changed. */
	readonly refresh?: {
		/** Names of files at the root or above it: when one has changed, the settings are sent again. */
		readonly settings?: readonly string[];
		/** Names of files: when one has come or gone, the open documents are closed and opened again. */
		readonly reopen?: readonly string[];
	};
	/** Minutes without a request after which the server is stopped. */
	readonly idleMinutes?: number;
	/** Seconds that `initialize` may take. */
	readonly initializeSeconds?: number;
	/** Seconds without a byte after which three requests that ran out of time mean that it is wedged (default 30). */
	readonly wedgedSeconds?: number;
	/** True for servers that run what the repository brings; they need trust. */
	readonly runsRepositoryCode?: boolean;
	/** What runs it: its heap gets a limit that fits the machine. */
	readonly runtime?: "node" | "jvm";
	/** Programs without which the server starts and finds nothing: LSP_PREREQUISITE_MISSING if one is not on PATH. */
	readonly prerequisites?: readonly string[];
	/** What a person types to get it. */
	readonly install?: string;
	readonly homepage?: string;
}

const typescriptFiles = ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs"];
const typescriptLanguages = {
	ts: "typescript",
	mts: "typescript",
	cts: "typescript",
	tsx: "typescriptreact",
	js: "javascript",
	mjs: "javascript",
	cjs: "javascript",
	jsx: "javascriptreact",
};
const typescriptMarkers = [
	"tsconfig.json",
	"jsconfig.json",
	"package.json",
	"pnpm-workspace.yaml",
	"package-lock.json",
	"pnpm-lock.yaml",
	"yarn.lock",
	"bun.lock",
];

export const servers: readonly ServerConfig[] = [
	{
		id: "typescript",
		match: typescriptFiles,
		command: "tsc",
		args: ["--lsp", "--stdio"],
		bundled: {
			package: "typescript",
			script: "bin/tsc",
			native: { package: "@typescript/typescript-{platform}-{arch}", file: "lib/tsc" },
		},
		typescript: { from: 7 },
		rootMarkers: typescriptMarkers,
		rootRule: "topmost",
		looseFiles: true,
		languageId: typescriptLanguages,
		strategy: "pull",
		pullsUnopened: true,
		ecosystem: "node",
		install: "npm install typescript@7",
		homepage: "https://www.typescriptlang.org",
	},
	{
		id: "typescript-language-server",
		runtime: "node",
		match: typescriptFiles,
		command: "typescript-language-server",
		args: ["--stdio"],
		bundled: { package: "typescript-language-server", script: "lib/cli.mjs" },
		typescript: { from: 4, to: 6 },
		rootMarkers: typescriptMarkers,
		rootRule: "topmost",
		looseFiles: true,
		languageId: typescriptLanguages,
		strategy: "tsserver",
		pullsUnopened: true,
		ecosystem: "node",
		// Told of a nearer tsconfig.json, tsserver 5.9 leaves an open file in its project, also 3 s later.
		refresh: { reopen: ["tsconfig.json", "jsconfig.json"] },
		initializationOptions: {
			hostInfo: "pi-lsp",
			// It would run npm to fetch types of packages that nobody asked for.
			disableAutomaticTypingAcquisition: true,
			plugins: [],
			tsserver: {
				// Our own, not the one that a repository brings in its node_modules.
				path: "{package:typescript-5}/lib/tsserver.js",
				// While the project loads, the syntax server answers `definition` wrongly (183 times in 6 s).
				useSyntaxServer: "never",
				// We know when we have told it of every change on disk; of its own watchers nobody knows how late they are.
				useClientFileWatcher: true,
			},
		},
		install: "npm install -g typescript-language-server",
		homepage: "https://github.com/typescript-language-server/typescript-language-server",
	},
	...python(["pyright", "pyright-langserver"], ["basedpyright", "basedpyright-langserver"]),
	{
		id: "gopls",
		match: ["go"],
		command: "gopls",
		args: [],
		rootMarkers: ["go.work", "go.mod"],
		rootRule: "topmost",
		languageId: "go",
		strategy: "pull",
		// Without a delay the rest of a package follows its edited file in 18 ms instead of a second.
		initializationOptions: { pullDiagnostics: true, diagnosticsDelay: "0s" },
		settings: { gopls: { pullDiagnostics: true, diagnosticsDelay: "0s" } },
		install: "go install golang.org/x/tools/gopls@latest",
		homepage: "https://go.dev/gopls",
	},
	{
		id: "clangd",
		match: ["c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx", "inl", "m", "mm"],
		command: "clangd",
		// A project's own .clangd may name compilers and flags to run; --enable-config=0 reads none.
		args: ["--background-index=false", "--enable-config=0"],
		rootMarkers: ["compile_commands.json", "compile_flags.txt", "CMakeLists.txt", "Makefile", "meson.build"],
		looseFiles: true,
		languageId: { c: "c", h: "c", m: "objective-c", mm: "objective-cpp", "*": "cpp" },
		strategy: "versioned-push",
		install: "apt-get install clangd",
		homepage: "https://clangd.llvm.org",
	},
	{
		id: "rust-analyzer",
		match: ["rs"],
		command: "rust-analyzer",
		args: [],
		rootMarkers: ["Cargo.toml", "rust-project.json"],
		rootRule: "topmost",
		languageId: "rust",
		strategy: "flycheck",
		// Build scripts, proc macros, and whatever .cargo/config.toml names as compiler.
		runsRepositoryCode: true,
		idleMinutes: 30,
		install: "rustup component add rust-analyzer",
		homepage: "https://rust-analyzer.github.io",
	},
	{
		id: "bash-language-server",
		runtime: "node",
		match: ["sh", "bash", "zsh"],
		names: [".bashrc", ".bash_profile", ".profile"],
		command: "bash-language-server",
		args: ["start"],
		rootMarkers: [".git"],
		looseFiles: true,
		languageId: "shellscript",
		strategy: "versioned-push",
		// All its findings are shellcheck's; without it a broken script would read as clean.
		prerequisites: ["shellcheck"],
		install: "npm install -g bash-language-server",
		homepage: "https://github.com/bash-lsp/bash-language-server",
	},
	{
		id: "yaml-language-server",
		runtime: "node",
		match: ["yaml", "yml"],
		command: "yaml-language-server",
		args: ["--stdio"],
		rootMarkers: [".git"],
		looseFiles: true,
		languageId: "yaml",
		strategy: "push",
		// The schema store is a download that nobody asked for.
		settings: {
			yaml: { validate: true, schemaStore: { enable: false, url: "" } },
			redhat: { telemetry: { enabled: false } },
		},
		install: "npm install -g yaml-language-server",
		homepage: "https://github.com/redhat-developer/yaml-language-server",
	},
	...vscodeServers(
		{
			name: "json",
			match: ["json", "jsonc"],
			languageId: { jsonc: "jsonc", "*": "json" },
			settings: { json: { validate: { enable: true } } },
		},
		{
			name: "html",
			match: ["html", "htm"],
			languageId: "html",
			settings: {
				html: { validate: { scripts: true, styles: true } },
				css: { validate: true },
				// Without them it fails inside and answers "no findings" for whatever is wrong.
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
		id: "eslint",
		runtime: "node",
		match: [...typescriptFiles, "vue", "svelte"],
		role: "linter",
		command: "vscode-eslint-language-server",
		args: ["--stdio"],
		rootMarkers: [
			"eslint.config.js",
			"eslint.config.mjs",
			"eslint.config.cjs",
			"eslint.config.ts",
			".eslintrc.json",
			".eslintrc.js",
			".eslintrc.cjs",
			".eslintrc.yml",
		],
		languageId: { ...typescriptLanguages, vue: "vue", svelte: "svelte" },
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
		install: "npm install -g vscode-langservers-extracted",
		homepage: "https://github.com/hrsh7th/vscode-langservers-extracted",
	},
];

/** Pyright and its fork differ in name only; the first that is installed is used. */
function python(...names: readonly (readonly [id: string, command: string])[]): ServerConfig[] {
	return names.map(([id, command]) => ({
		id,
		runtime: "node",
		match: ["py", "pyi"],
		alternative: "python",
		command,
		args: ["--stdio"],
		rootMarkers: ["pyrightconfig.json", "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "Pipfile"],
		looseFiles: true,
		languageId: "python",
		// Registered after the handshake. Its pushes echo the new version with the OLD errors (7 of 7).
		strategy: "pull",
		settings: {
			python: { analysis: { diagnosticMode: "openFilesOnly", autoSearchPaths: true, useLibraryCodeForTypes: true } },
		},
		ecosystem: "python",
		// Told of a changed file it reads its configuration 100 ms later; told of settings it lets every question wait.
		refresh: { settings: ["pyrightconfig.json", "pyproject.toml"] },
		idleMinutes: 30,
		install: `npm install -g ${id}`,
		homepage: id === "pyright" ? "https://microsoft.github.io/pyright" : "https://docs.basedpyright.com",
	}));
}

/** The servers that come out of VS Code and speak alike. */
function vscodeServers(
	...kinds: readonly (Pick<ServerConfig, "match" | "languageId" | "settings"> & { readonly name: string })[]
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
		install: "npm install -g vscode-langservers-extracted",
		homepage: "https://github.com/hrsh7th/vscode-langservers-extracted",
	}));
}
