/**
 * The built-in language servers, as data: what each one is for, how it is started, and what is known of its behaviour.
 * The entries stand in `src/servers/`, by family; this is the one list of them. A repository or a person adds to it in
 * `.pi-lsp.json` and the user configuration; `src/config/resolve-settings.ts` is its only reader. What each of them does by
 * itself with a repository, and so which of them wait for trust, is judged in `src/servers/judgements/`.
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

/** How a server's diagnostics are known to belong to exactly this content. */
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

/** A program to look for on PATH, and what it is started with. */
export interface Candidate {
	readonly command: string;
	readonly args: readonly string[];
}

/** What in a directory says that its project uses a tool; one of it is enough. */
export interface Evidence {
	/** File names; `*` stands for any run of characters. */
	readonly files?: readonly string[];
	/** Packages among the dependencies of a package.json, of whatever kind. */
	readonly packages?: readonly string[];
	/** By the name of a text file, words that stand in it outside comments. */
	readonly mentions?: Readonly<Record<string, readonly string[]>>;
}

/** The package managers that can install servers. */
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

/** How a server is installed: packages by package manager, the first one is the way that is told. */
export interface Install extends Readonly<Partial<Record<Installer, readonly string[]>>> {
	/** A command line, where no package manager has it. */
	readonly run?: string;
	/** A page that tells how, where nothing else does. */
	readonly url?: string;
}

/** What is different for a caller who does not trust the repository. */
export interface Restricted {
	readonly args?: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	readonly initializationOptions?: unknown;
	readonly settings?: Readonly<Record<string, unknown>>;
	/**
	 * Paths of files. Where the file's directory or any above it holds one, up to `/`, as the server's tools look for them,
	 * the repository's code would run even so: it is not started, and stopped when one appears. The person's home directory
	 * does not count.
	 */
	readonly unless?: readonly string[];
	/**
	 * The argument by which it is told of a directory with a compile database: it is given a clean copy, in which the
	 * repository's says nothing but include paths, macros, the standard and warnings.
	 */
	readonly compileDatabase?: string;
	/** Notifications without parameters that it is sent as soon as it has started. */
	readonly initialized?: readonly string[];
	/** True if it reads schema files that a document names, wherever they are: none is shown to it that names one outside. */
	readonly readsNamedSchemas?: boolean;
	/** True if rustup is to run what the person has chosen, whatever a `rust-toolchain.toml` says. */
	readonly rustup?: boolean;
	/** True if it finds less like this; then no file is called clean. */
	readonly partial?: boolean;
}

/** What a server tells of the reading of its project. */
export interface Loading {
	/** True if it says so (`$/progress`, `experimental/serverStatus`, `language/status`) as soon as it has started. */
	readonly announced?: boolean;
	/** How the titles of the progress begin that counts; all of it without. */
	readonly titles?: readonly string[];
	/** A pattern of the message (`window/logMessage`) by which it says that it has; then nothing else counts. */
	readonly log?: string;
	/** Why it never does: what questions about the whole project are told. */
	readonly never?: string;
}

export interface ServerConfig {
	readonly id: string;
	/** File name extensions without the dot. */
	readonly match: readonly string[];
	/** Whole file names. */
	readonly names?: readonly string[];
	/**
	 * File names with `*` for any run of characters; with a slash, the end of the path (`.github/workflows/*.yml`). One
	 * that begins with `!` takes files away from all the others.
	 */
	readonly patterns?: readonly string[];
	/** Interpreters in the first line of a file that no server knows by its name; versions do not count (python3.12). */
	readonly shebangs?: readonly string[];
	/** A program on PATH (entries inside the workspace do not count) or an absolute path. */
	readonly command: string;
	/**
	 * Where a server listens that somebody else runs, `host:port` or a socket's absolute path: nothing is started, and at
	 * the end the connection is closed and the server lives on.
	 */
	readonly connect?: string;
	/** Where it sees our directories, if elsewhere: `{ "/local": "/remote" }`, or one pair as `/local:/remote`. */
	readonly paths?: string | Readonly<Record<string, string>>;
	/**
	 * Each may begin with `{root}` or `{package:NAME}`, as the strings of `initializationOptions` may; `{data}` is a directory
	 * for what the server keeps of this root, outside of it.
	 */
	readonly args: readonly string[];
	/** The same server under other names, in order of preference: the first that is installed is started. */
	readonly candidates?: readonly Candidate[];
	/** Where it is started, relative to the root; the root itself without it. */
	readonly cwd?: string;
	/**
	 * Who named `command` in a configuration. Then it may be an absolute path inside the workspace; the caller's comes before
	 * its alternatives.
	 */
	readonly namedBy?: "user" | "repository" | "caller";
	/** True if only a repository's configuration knows it: one that may not run takes nothing from the others. */
	readonly fromRepository?: boolean;
	/** Variables that the server gets on top of what it inherits. */
	readonly environment?: Readonly<Record<string, string>>;
	/** Files that mark a project's root; `*` stands for any run of characters. */
	readonly rootMarkers: readonly string[];
	/** The document's languageId, or one by file name, pattern, extension or `#!interpreter`, with `*` for the rest. */
	readonly languageId: string | Readonly<Record<string, string>>;
	/** `nearest` (default): the closest directory with a marker. `topmost`: the highest one inside the workspace. */
	readonly rootRule?: "nearest" | "topmost";
	/** What marks the root of a whole workspace: the nearest directory with it wins over the rule. */
	readonly workspaceRoot?: Evidence;
	/** True for servers that can work on a file without a project; others answer LSP_NO_PROJECT_ROOT. */
	readonly looseFiles?: boolean;
	/** `linter`, `framework`: a second opinion beside the language's own server, where the project uses it. */
	readonly role?: "language" | "linter" | "framework";
	/** Of the servers with the same name here one is used: by what the project uses, then by order, if installed. */
	readonly alternative?: string;
	/** What says that a project uses this server's tool. */
	readonly usedBy?: Evidence;
	/** What says that it does not, up to and including the directory of the evidence above. */
	readonly notUsedBy?: Evidence;
	/** True if this server judges the projects that use it, and no others, and none of its alternatives may stand in. */
	readonly exclusive?: boolean;
	/** True if it merely parses: of a file in which it finds nothing that is not known to be right. */
	readonly parses?: boolean;
	/** Left out where it is not known: pull is detected, and so is a version in a push. */
	readonly strategy?: Strategy;
	/** Which pushes are about something else than the text that was sent last. */
	readonly pushes?: {
		/** Milliseconds that it waits after a change before it publishes: what comes earlier is about an older text. */
		readonly afterMs?: number;
		/** True if what it publishes before its progress has ended lacks what it has not read; then it publishes anew. */
		readonly afterLoading?: boolean;
		/**
		 * True for clangd: what it pushes first of a text may be by headers that it read before, and a file whose headers have
		 * changed is looked at when it is told of a change of the file itself (`pushedAfterUpdates`).
		 */
		readonly staleHeaders?: boolean;
	};
	/** False for servers that report no diagnostics: a check does not wait for them. */
	readonly diagnoses?: boolean;
	/**
	 * True for a server that may answer for a file as it was before its imports changed. It is never told what it answered
	 * last (pyright compares that number before it looks whether the file has to be checked again), and of a file that
	 * was not edited it is sent the text once more, which makes it look: 2 of 20 importers kept an error that was mended.
	 */
	readonly doubtfulUnchanged?: boolean;
	/** True if it answers a pull that it does not offer: Volar's servers, whose pushes carry a version and half of the errors. */
	readonly pullsUnoffered?: boolean;
	/** True if the answer to a pull is right for files that were never opened (TypeScript 7); pyright answers empty. */
	readonly pullsUnopened?: boolean;
	/**
	 * True if `workspace/diagnostic`, where it is offered, answers at once, for what the server was told last, and leaves
	 * out only files without findings (ty). The protocol promises none of that: pyright keeps the question open.
	 */
	readonly pullsWorkspace?: boolean;
	readonly bundled?: BundledProgram;
	/** The major versions of TypeScript whose projects this server judges rightly, both ends included. */
	readonly typescript?: { readonly from: number; readonly to?: number };
	/** Strings in it may begin with `{package:NAME}`, the directory of one of our own dependencies, or with `{root}`. */
	readonly initializationOptions?: unknown;
	/** See `Restricted`. */
	readonly initialized?: readonly string[];
	/** Answers to `workspace/configuration`, by section; the section "" answers a request without one. */
	readonly settings?: Readonly<Record<string, unknown>>;
	/** Where what its files import comes from: what explains an import that is not found, and which settings are computed. */
	readonly ecosystem?: "node" | "python" | "go";
	/** What a change of files beside its documents takes, other than the notification that the files have changed. */
	readonly refresh?: {
		/** Names of files at the root or above it: when one has changed, the settings are sent again. */
		readonly settings?: readonly string[];
		/** Names of files: when one has come or gone, the open documents are closed and opened again. */
		readonly reopen?: readonly string[];
	};
	/** The most symbols that it answers to `workspace/symbol`; without it there is no known limit. */
	readonly maxSymbols?: number;
	/** Minutes without a request after which the server is stopped. */
	readonly idleMinutes?: number;
	/** True if it takes an import for a declaration, and leaves it out with those when references are asked for. */
	readonly importsAreDeclarations?: boolean;
	/** Requests that it must not be told are no longer wanted. */
	readonly uncancellable?: readonly string[];
	/** For a server that answers questions about its whole project before it has read it. */
	readonly loading?: Loading;
	/** Seconds that `initialize` may take. */
	readonly initializeSeconds?: number;
	/** Seconds without a byte after which three requests that ran out of time mean that it is wedged (default 30). */
	readonly wedgedSeconds?: number;
	/** True for servers that run what the repository brings; they need trust. */
	readonly runsRepositoryCode?: boolean;
	/** How it is started without trust: so that it runs nothing of the repository's. */
	readonly restricted?: Restricted;
	/** True if no directory is added to its workspace after its start: nobody has looked at what lies there. */
	readonly oneRoot?: boolean;
	/** What is different in the sandbox around servers of trees that are not trusted, where XDG_CACHE_HOME is its own. */
	readonly sandbox?: {
		/** Variables that name a directory below its own cache, the only one that it may write to. */
		readonly writes?: Readonly<Record<string, string>>;
		/** Variables that name a directory below the person's cache, which has what it needs: it is only read. */
		readonly reads?: Readonly<Record<string, string>>;
		readonly environment?: Readonly<Record<string, string>>;
		/** True if it speaks with processes of its own through sockets in the file system: they are not refused then. */
		readonly sockets?: boolean;
	};
	/** True if it runs restricted and finds less. */
	readonly partial?: boolean;
	/** What runs it: its heap gets a limit that fits the machine. */
	readonly runtime?: "node" | "jvm";
	/** Programs without which the server starts and finds nothing: LSP_PREREQUISITE_MISSING if one is not on PATH. */
	readonly prerequisites?: readonly string[];
	/** How a person gets it; a string is the command line itself. */
	readonly install?: Install | string;
	readonly homepage?: string;
}

/** All built-in servers. Of those for one file the order is the order of preference. */
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
