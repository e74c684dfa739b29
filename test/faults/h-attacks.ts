import { type Row, type TestProof, test } from "./row.ts";

type Attack = readonly [title: string, tests: readonly TestProof[], rows?: readonly string[]];

/** Attacks that did harm once: each was red before the guard that is proven here. */
const defects: readonly Attack[] = [
	[
		"check --base: a bare repository in a clone, an unpacked .git, a git on the clone's PATH",
		test("hostile/git", "the option --base runs no program of a repository"),
	],
	[
		"rust-analyzer: the clone's configuration moves the root past .cargo/config.toml",
		[
			...test("live/untrusted", "next to its own file, when its configuration moves the root"),
			...test("config/servers", "idle time of a known server counts without trust"),
		],
	],
	[
		"rust-analyzer: .cargo/config.toml above the workspace, in a submodule",
		test("live/untrusted", "above the workspace, in a submodule"),
	],
	[
		"rust-analyzer: .cargo/config.toml comes while it runs",
		test("live/untrusted", "while it runs, when a checkout brings it"),
	],
	[
		"rustup starts the rust-analyzer that a rust-toolchain.toml above the workspace names",
		[
			...test(
				"routing/select-servers",
				"A server is refused if a directory above the workspace, except the home directory, could name a program",
			),
			...test("project/rustup", "the toolchain is the user's choice for the directory, or for all directories"),
		],
	],
	[
		"clangd writes what the flags of a compile database name",
		[
			...test("live/untrusted", "writes nothing that the flags name"),
			...test("live/attacks", "a log of the compile database's in the person's keys"),
			...test("launch/compile-database", "cleanCommand: the allowed flags"),
		],
	],
	[
		"pyrefly runs an interpreter of its configuration, of .venv, a module next to its configuration",
		test("live/untrusted", "has pyrefly run nothing: not"),
	],
	[
		"an agent connects a workspace to a host of its choice",
		test(
			"faces/connect-asks",
			"a model over MCP that wants to connect to a server gets the question for the person",
			"the command line without a terminal connects to no server, and gives no trust",
			"the person is asked in pi, and their",
		),
	],
	[
		"a committed link to /dev/zero",
		test(
			"hostile/files",
			"a link to /dev/zero costs one line in the log and no memory",
			"git exits soon if a link in an unpacked .git leads to /dev/zero",
		),
	],
	[
		"a server reports diagnostics of /dev/zero, of a FIFO, of a link next to a file",
		test("hostile/files", "in an answer for another file does not have it read"),
	],
	[
		"small files that the daemon works on for minutes: a configuration, a pattern, imports",
		[
			...test("daemon/hostile-files", "does not keep other clients waiting"),
			...test("live/hostile-texts", "takes any text of a megabyte without blocking the event loop"),
		],
	],
	[
		"stop and daemon stop before a daemon that is blocked",
		test(
			"daemon/lifecycle/blocked",
			"A blocked daemon is ended with its servers",
			"A stopped daemon (SIGSTOP) is ended",
			"A process with the process id of a former daemon is not killed",
			"A blocked daemon logs its functions, is ended with its servers",
		),
	],
	[
		"U+2028 and U+2029 in a file of TypeScript 5.9 and 7",
		test("diagnostics/line-separators", "sees the right text when", "on the line that an editor shows"),
	],
	[
		"another user's .pi-lsp.json above the workspace, with trust",
		[
			...test("hostile/files", "another user's configuration"),
			...test("config/read-settings", "another user's file does not count unless the directory is also theirs"),
		],
	],
	[
		"escape sequences and frames in what servers and files say",
		[
			...test(
				"live/hostile/text",
				"texts of a server or a repository are made harmless on the command line",
				"texts of a server or a repository are made harmless in MCP, profile",
				"texts of a server or a repository are made harmless in a tool and the hook in pi",
				"texts that pi shows the person are made harmless",
			),
			...test(
				"render/harmless",
				"a text keeps its lines, tabs and letters and loses every control character",
				"ends no frame",
			),
		],
	],
	[
		"reports that are none: items that are null, an object, without a range; places that are none",
		[
			...test("diagnostics/unreadable", "is not proven"),
			...test("query/garbage", "a malformed result is the server's error, which names the request"),
		],
	],
	[
		"a report of more than 16 MB",
		test("diagnostics/large-report", "a server's report of 30 MB is sent over the daemon's socket"),
	],
	[
		"schemas that JSON, YAML and TOML name are fetched",
		[
			...test(
				"live/untrusted",
				"are not fetched by their URL, which is reported; with trust they are",
				"are read inside of the workspace, and not outside",
			),
			...test("live/toml-schemas", "A TOML file's schema"),
		],
	],
	[
		"MCP: a message of 12 MB and of 17 MB, malformed JSON, a batch, an id that is an object",
		[
			...test("faces/mcp/life", "a line that is no message is answered with the protocol's error"),
			...test("jsonrpc/ndjson", "a reader with answers enabled"),
		],
	],
	[
		"a clone switches the type checkers off, and another server finds nothing",
		[
			...test("live/untrusted", "is not clean just because its own file switches off all type checkers"),
			...test("routing/select-servers", "An untrusted repository that switches the type checkers off raises a doubt"),
		],
	],
	["a full runtime directory", test("daemon/full", "the error on a full file system names the runtime directory")],
	[
		"a file whose name begins with @",
		[
			...test("routing/locate", "A file whose name begins with @ or ~ is found before the expanded path"),
			...test("faces/pi/hook", "a file whose name begins with @ is not taken for the one that pi means by that name"),
		],
	],
	["a planted cookie that others may write or read", test("daemon/full", "is not used")],
	[
		"ids that are objects, on the daemon's socket",
		test("daemon/wire", "A call that is too large or has a malformed id is answered, and the connection is kept"),
	],
	[
		"an error at the end of a file, with TypeScript 5.9",
		test("diagnostics/line-separators", "reports an error at the end of a file on its last line"),
	],
];

/** Attacks that did no harm when they were tried, and must do none. */
const survivors: readonly Attack[] = [
	[
		".pi-lsp.json: command, arguments, environment, settings, trusted roots, a new server, the five faces alike",
		test("live/hostile/clone", "a hostile repository runs nothing through"),
		["G5", "G6", "G8"],
	],
	[
		"node_modules/.bin, a TypeScript of the clone's, plugins, .npmrc",
		[
			...test("live/hostile/clone", "a hostile TypeScript 7 project is judged by the bundled compiler"),
			...test("live/attacks", "a compiler, a plugin and scripts of node_modules"),
		],
		["G7"],
	],
	[
		".venv/bin/python, modules next to a file, a project of jedi's",
		[
			...test("live/untrusted", "has jedi run no interpreter, even of an activated environment"),
			...test("live/attacks", "an interpreter and modules of the project"),
			...test("launch/launch-command", "No variable without trust leads into the workspace"),
		],
	],
	[
		"go: a toolchain, go.env, flags of cgo, pkg-config",
		[
			...test("routing/select-servers", "gopls downloads no other Go, and no module"),
			...test("live/attacks", "a toolchain, variables and flags of cgo"),
		],
	],
	[
		"rust: build.rs, a wrapper of rustc",
		[
			...test("routing/select-servers", "A server gets a configuration with which it runs nothing"),
			...test("live/attacks", "a build script of an ordinary crate"),
		],
	],
	[
		"clangd: .clangd, a driver, plugins, @file, --config",
		[
			...test("launch/compile-database", "cleanCommand: the allowed flags"),
			...test("live/attacks", "a compiler and a plugin of the compile database"),
		],
	],
	[
		"eslint, biome, oxlint, svelte, vue, astro, mdx, stylelint, tailwind: what they run waits for trust",
		[
			...test("servers/judgements", "does what its judgement states, and no more", "is judged as its entry states"),
			...test("live/untrusted-programs", "runs nothing of an untrusted tree"),
			...test("live/attacks", "a configuration that is a program"),
		],
	],
	[
		"git: a file system monitor, hooks, textconv, filters, a pager",
		test("hostile/git", "hooks, a file system monitor, aliases, filters, a pager"),
	],
	[
		"links outward, loops, odd .git files",
		test("hostile/files", "a configuration that is no regular file, or a link that leads out of the repository"),
		["G15", "E1", "E9"],
	],
	["hostile runtime and state directories, a FIFO and links for the log", [], ["G1", "G2", "G3", "G4"]],
	[
		"the socket: garbage, 100 MB, depth, wrong types, silence, no reader",
		test("daemon/wire", "Unreadable bytes end their connection and no other"),
		["B1", "B2", "B5", "B6"],
	],
	["kill -9 of the daemon under many calls", [], ["A4", "C13"]],
	["kill -STOP of a server, and of the daemon", [], ["C8", "A5"]],
	["a full file system for the log and what is trusted", [], ["A13"]],
	[
		"a server that floods: bad frames, a million diagnostics, globs, edits without a command",
		[
			...test("watch/globs", "match everything below their base if a pattern would backtrack without end"),
			...test("lsp/server-requests", "edits without a command are refused"),
		],
		["D2", "D6", "D8", "D14"],
	],
	["odd names and contents, lines that are not there", [], ["E2", "E7", "E8"]],
	["changed and deleted during a check, with the same size and time", [], ["E4", "E5", "E6"]],
	[
		"configurations of wrong shapes",
		test("config/bad-configs", "each of 200 wrong configurations is reported with its file, line and field"),
	],
	[
		"MCP: calls that are cancelled, a daemon that is gone in the middle of one",
		test(
			"faces/mcp/calls",
			"a call that the client cancels is cancelled in the server, and the next one is answered",
			"a daemon that was stopped, or killed in the middle of a call, is started again",
		),
	],
	[
		"a sandbox behind all that: what a server that is taken over reaches",
		[
			...test("sandbox/reaching", "a server of an untrusted tree reaches nothing outside of its workspace"),
			...test("sandbox/rules", "remove the network, privileges and access to other processes"),
		],
	],
];

/** Attacks, done or tried, of a hostile clone, server, client or user of the same machine. */
export const attacks: readonly Row[] = [...defects, ...survivors].map(([title, tests, rows = []], index) => ({
	id: `H${index + 1}`,
	title,
	run: { tests, rows },
}));
