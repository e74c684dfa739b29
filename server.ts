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
	/** File name extensions without the dot, or whole file names. */
	readonly match: readonly string[];
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
	readonly strategy?: Strategy;
	/** True if the answer to a pull is right for files that were never opened (TypeScript 7); pyright answers empty. */
	readonly pullsUnopened?: boolean;
	readonly bundled?: BundledProgram;
	/** The major versions of TypeScript whose projects this server judges rightly, both ends included. */
	readonly typescript?: { readonly from: number; readonly to?: number };
	/** Strings in it may begin with `{package:NAME}`, the directory of one of our own dependencies. */
	readonly initializationOptions?: unknown;
	/** Answers to `workspace/configuration`, by section. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Minutes without a request after which the server is stopped. */
	readonly idleMinutes?: number;
	/** Seconds that `initialize` may take. */
	readonly initializeSeconds?: number;
	/** True for servers that run what the repository brings; they need trust. */
	readonly runsRepositoryCode?: boolean;
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
		install: "npm install typescript@7",
		homepage: "https://www.typescriptlang.org",
	},
	{
		id: "typescript-language-server",
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
			},
		},
		install: "npm install -g typescript-language-server",
		homepage: "https://github.com/typescript-language-server/typescript-language-server",
	},
];
