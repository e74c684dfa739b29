/**
 * The built-in language servers, as data by family in `src/servers/`; `src/servers/judgements/` says what each does with a
 * repository by itself. A repository or a person adds servers in `.pi-lsp.json` and the user configuration.
 */

import { dataFormatServers } from "./src/servers/data-formats.ts";
import { documentServers } from "./src/servers/documents.ts";
import { dotnetServers } from "./src/servers/dotnet.ts";
import { functionalServers } from "./src/servers/functional.ts";
import { hardwareServers } from "./src/servers/hardware.ts";
import { infrastructureServers } from "./src/servers/infrastructure.ts";
import { jvmServers } from "./src/servers/jvm.ts";
import { nativeServers } from "./src/servers/native.ts";
import { pythonServers } from "./src/servers/python.ts";
import { rubyPhpServers } from "./src/servers/ruby-php.ts";
import { scriptingServers } from "./src/servers/scripting.ts";
import { systemsServers } from "./src/servers/systems.ts";
import { typescriptServers } from "./src/servers/typescript.ts";
import { webServers } from "./src/servers/web.ts";
import { webLinters } from "./src/servers/web-linters.ts";

/** How diagnostics are known to belong to the current text. */
export type Strategy = "pull" | "tsserver" | "versioned-push" | "push" | "flycheck";

/** A program from an npm dependency of pi-lsp. */
export interface BundledProgram {
	readonly package: string;
	/** A JavaScript file of the package, for Node. */
	readonly script: string;
	/** Preferred if the platform's package is there: `{platform}` and `{arch}` are Node's. */
	readonly native?: { readonly package: string; readonly file: string };
}

export interface Candidate {
	readonly command: string;
	readonly args: readonly string[];
}

/** A directory's project uses a tool if one of these is found. */
export interface Evidence {
	/** With `*` for any characters. */
	readonly files?: readonly string[];
	/** Dependencies of any kind in package.json. */
	readonly packages?: readonly string[];
	/** Words outside comments, by the text file that contains them. */
	readonly mentions?: Readonly<Record<string, readonly string[]>>;
}

export type Installer =
	| "npm"
	| "pip"
	| "go"
	| "cargo"
	| "rustup"
	| "apt"
	| "brew"
	| "gem"
	| "dotnet"
	| "opam"
	| "ghcup"
	| "coursier"
	| "raco"
	| "luarocks"
	| "nimble";

/**
 * Packages by package manager, as it takes them on its command line; the first one is suggested. A version in one
 * (`pyright@1.1.414`, `ruff==0.17.6`) is the one that the tests run (`scripts/install-servers.mjs` installs it).
 */
export interface Install extends Readonly<Partial<Record<Installer, readonly string[]>>> {
	/** A command line, if no package manager has it. */
	readonly run?: string;
	/** A page with instructions, if nothing else is given. */
	readonly url?: string;
	/** What a person should know before. */
	readonly note?: string;
	/** Package managers whose packages hold programs for glibc only. */
	readonly glibcOnly?: readonly Installer[];
}

/** What differs without trust. */
export interface Restricted {
	readonly args?: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	readonly initializationOptions?: unknown;
	readonly settings?: Readonly<Record<string, unknown>>;
	/**
	 * Paths of files. If one exists in or above the file's directory, up to `/`, the server would run the repository's code all
	 * the same: it is not started, and is stopped when one appears. The person's home directory does not count.
	 */
	readonly unless?: readonly string[];
	/**
	 * The argument for the directory of the compile database: a clean copy with only include paths, macros, the standard and
	 * warnings.
	 */
	readonly compileDatabase?: string;
	/** Notifications without parameters to send after the start. */
	readonly initialized?: readonly string[];
	/** It reads schema files wherever a document names them: a document that names one outside is not shown to it. */
	readonly readsNamedSchemas?: boolean;
	/** rustup runs the person's toolchain, whatever `rust-toolchain.toml` names. */
	readonly rustup?: boolean;
	/** cargo writes a missing Cargo.lock: the server is not started, and is stopped, where that is a link. */
	readonly writesCargoLock?: boolean;
	/** A path from the root, to which it writes: it is not started, and is stopped, where a part of it is a link. */
	readonly writesTo?: string;
	/** It finds less: no file is called clean. */
	readonly partial?: boolean;
}

/** How a server reports that it reads its project. */
export interface Loading {
	/** It reports this right after its start (`$/progress`, `experimental/serverStatus`, `language/status`). */
	readonly announced?: boolean;
	/** Only progress with titles that begin so counts. */
	readonly titles?: readonly string[];
	/** A pattern of the `window/logMessage` that ends the loading; then nothing else counts. */
	readonly log?: string;
	/** It may judge what is opened before the end only in part, and publish that behind it: nothing is opened before. */
	readonly opensAfter?: boolean;
	/** The reason why it never reads the project, for questions about the whole project. */
	readonly never?: string;
}

export interface ServerConfig {
	readonly id: string;
	/** File name extensions without the dot. */
	readonly match: readonly string[];
	/** Whole file names. */
	readonly names?: readonly string[];
	/**
	 * File names with `*`; with a slash, the end of a path (`.github/workflows/*.yml`). A pattern that begins with `!` takes files
	 * away from the others.
	 */
	readonly patterns?: readonly string[];
	/** Interpreters in a script's first line, without versions; for files that match no server by name. */
	readonly shebangs?: readonly string[];
	/** An absolute path, or a program on PATH (without entries inside the workspace). */
	readonly command: string;
	/** `host:port` or the absolute path of a socket where the server runs already: it is neither started nor ended. */
	readonly connect?: string;
	/** Its view of local directories: `{ "/local": "/remote" }`, or `/local:/remote`. */
	readonly paths?: string | Readonly<Record<string, string>>;
	/**
	 * Each may begin with `{root}` or `{package:NAME}`, as strings of `initializationOptions` may; `{data}` is a directory outside
	 * the root for the server's own data of it.
	 */
	readonly args: readonly string[];
	/** Other programs that are this server, in order of preference. */
	readonly candidates?: readonly Candidate[];
	/** Relative to the root, which is the default. */
	readonly cwd?: string;
	/**
	 * The configuration that names `command`, which may then be an absolute path inside the workspace. A caller's command comes
	 * before `candidates`.
	 */
	readonly namedBy?: "user" | "repository" | "caller" | "extension";
	/** Only a repository's configuration names it: without trust it takes no file from other servers. */
	readonly fromRepository?: boolean;
	/** Added to the inherited variables. */
	readonly environment?: Readonly<Record<string, string>>;
	/** Files that mark a project's root, with `*`. */
	readonly rootMarkers: readonly string[];
	/** The languageId, or by file name, pattern, extension or `#!interpreter`, with `*` for the rest. */
	readonly languageId: string | Readonly<Record<string, string>>;
	/** `nearest` (default): the closest directory with a marker. `topmost`: the highest one inside the workspace. */
	readonly rootRule?: "nearest" | "topmost";
	/** The nearest directory with this wins over `rootRule`. */
	readonly workspaceRoot?: Evidence;
	/** It works without a project; other servers answer LSP_NO_PROJECT_ROOT. */
	readonly looseFiles?: boolean;
	/** `linter`, `framework`: used with the language's own server if the project uses it. */
	readonly role?: "language" | "linter" | "framework";
	/** Of the servers with the same name here, the one that the project uses, else the first that is installed. */
	readonly alternative?: string;
	readonly usedBy?: Evidence;
	/** Counts up to and including the directory of the evidence for `usedBy`. */
	readonly notUsedBy?: Evidence;
	/** It checks only projects that use it, and no alternative replaces it there. */
	readonly exclusive?: boolean;
	/** It only parses: a file without findings is not known to be right. */
	readonly parses?: boolean;
	/** tombi, which runs offline, with trust too: a TOML file whose schema is named by a URL is not known to be right. */
	readonly offlineSchemas?: boolean;
	/** It takes settings by `workspace/didChangeConfiguration` alone, and requests none. */
	readonly isSentSettings?: boolean;
	/** It keeps the schema files that it has read until it is told of a change, and takes others by `json/schemaAssociations`. */
	readonly keepsSchemas?: boolean;
	/** Without it pull, or a version in pushes, is detected. */
	readonly strategy?: Strategy;
	readonly pushes?: {
		/** Milliseconds that it waits after a change: an earlier push is about an older text. */
		readonly afterMs?: number;
		/** Pushes before its loading ends are incomplete; it pushes again. */
		readonly afterLoading?: boolean;
		/**
		 * clangd: the first push of a text may be by old headers, and a file whose headers changed is checked again only after an
		 * event for the file itself (`pushedAfterUpdates`).
		 */
		readonly staleHeaders?: boolean;
		/**
		 * It publishes only what has changed, nothing for a clean file (terraform-ls): a text that it is silent about is proven by
		 * another one in between, to which this is appended, and which is wrong by it.
		 */
		readonly provokedBy?: string;
		/**
		 * It publishes for a file, given its URI and these further arguments, before it answers this command (jdtls): the answer
		 * ends the wait for pushes.
		 */
		readonly endedBy?: { readonly command: string; readonly arguments: readonly unknown[] };
		/** It publishes what is on disk, at an open and a save (fortls): no other text can be proven. */
		readonly ofDisk?: boolean;
	};
	/** clangd takes all `.h` files for one language where no compile command says theirs. */
	readonly assumesHeaders?: boolean;
	/** Codes of its warnings that are errors of the file; "" for those without a code. */
	readonly warningsThatAreErrors?: readonly string[];
	/** False if it reports no diagnostics: a check does not wait for it. */
	readonly diagnoses?: boolean;
	/**
	 * It may answer for the imports of an earlier moment (pyright, jdtls, intelephense). It gets no previous result id, with which pyright skips the
	 * check, and the text of a file that was not edited is sent once more.
	 */
	readonly doubtfulUnchanged?: boolean;
	/** It answers pulls without offering them: Volar's servers, whose versioned pushes have half of the errors. */
	readonly pullsUnoffered?: boolean;
	/**
	 * Files that mark a project, without which it knows only the open files and what they import; [] if no file helps. Others
	 * that hold a name, and files that belong to no project, are opened before a question about its users.
	 */
	readonly openFilesOnlyWithout?: readonly string[];
	/** It leaves the files that `require` another one out of the references and renames of what that one exports. */
	readonly missesRequired?: boolean;
	/** Pulls are right for files that were never opened (TypeScript 7); pyright answers empty. */
	readonly pullsUnopened?: boolean;
	/**
	 * It answers `workspace/diagnostic` at once, for the current texts, and leaves out only files without findings (ty). LSP
	 * promises neither.
	 */
	readonly pullsWorkspace?: boolean;
	readonly bundled?: BundledProgram;
	/** Major versions of TypeScript whose projects it checks, inclusive. */
	readonly typescript?: { readonly from: number; readonly to?: number };
	/** Its strings may begin with `{package:NAME}`, the directory of a dependency of pi-lsp, or with `{root}`. */
	readonly initializationOptions?: unknown;
	/** See `Restricted`. */
	readonly initialized?: readonly string[];
	/** Answers to `workspace/configuration` by section, "" for a request without one. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Explains missing imports, and selects computed settings. */
	readonly ecosystem?: "node" | "python" | "go";
	/** What it needs besides `didChangeWatchedFiles`. */
	readonly refresh?: {
		/** File names at the root or above: a change sends the settings again. */
		readonly settings?: readonly string[];
		/** File names: open documents are reopened when one is created or deleted. */
		readonly reopen?: readonly string[];
	};
	/** The most symbols in an answer to `workspace/symbol`, if limited. */
	readonly maxSymbols?: number;
	/** Minutes without a request until it is stopped. */
	readonly idleMinutes?: number;
	/** It omits imports with the declarations when references are requested. */
	readonly importsAreDeclarations?: boolean;
	/**
	 * How it is shown a tree without a file that it finds on disk: imports of the file name another one, or nothing but
	 * the package clause is left of its text.
	 */
	readonly withoutFile?: "imports" | "package";
	/** A module whose file is not on disk is not found, also while its text is open (pyright: docs/facts.md, 32). */
	readonly findsModulesOnDisk?: boolean;
	/** It judges scripts too, and it alone knows the types of the components that they import. */
	readonly judgesScripts?: boolean;
	/** Requests that are not cancelled. */
	readonly uncancellable?: readonly string[];
	/** For a server that answers questions about the project before it has read it. */
	readonly loading?: Loading;
	/** Seconds for `initialize`. */
	readonly initializeSeconds?: number;
	/** After so many seconds without a byte, three timed-out requests mean that it hangs (default 30). */
	readonly wedgedSeconds?: number;
	/** It runs code of the repository, and needs trust. */
	readonly runsRepositoryCode?: boolean;
	/** How it starts without trust, so that it runs no code of the repository. */
	readonly restricted?: Restricted;
	/** No folder is added to its workspace after the start, since trust was decided without it. */
	readonly oneRoot?: boolean;
	/** The sandbox of servers without trust has an XDG_CACHE_HOME of its own. */
	readonly sandbox?: {
		/** Variables for directories below its own cache, which it may write. */
		readonly writes?: Readonly<Record<string, string>>;
		/** Variables for directories below the person's cache, which it may read. */
		readonly reads?: Readonly<Record<string, string>>;
		readonly environment?: Readonly<Record<string, string>>;
		/** It needs Unix sockets. */
		readonly sockets?: boolean;
	};
	/** It runs restricted and finds less. */
	readonly partial?: boolean;
	/** Its heap gets a limit that fits the machine. */
	readonly runtime?: "node" | "jvm";
	/** Programs that it needs on PATH; without one: LSP_PREREQUISITE_MISSING. */
	readonly prerequisites?: readonly string[];
	/** A string is the command line. */
	readonly install?: Install | string;
	readonly homepage?: string;
}

/** In the order of preference for a file. */
export const servers: readonly ServerConfig[] = [
	...typescriptServers,
	...pythonServers,
	...systemsServers,
	...nativeServers,
	...jvmServers,
	...dotnetServers,
	...rubyPhpServers,
	...scriptingServers,
	...functionalServers,
	...webServers,
	...webLinters,
	...infrastructureServers,
	...dataFormatServers,
	...documentServers,
	...hardwareServers,
];
