import type { ServerConfig } from "../../server.ts";

/** Further compiled languages: D, Nim, Crystal, Odin, V, Fortran, Ada, assembly. */
export const nativeServers: readonly ServerConfig[] = [
	{
		id: "serve-d",
		match: ["d", "di"],
		command: "serve-d",
		args: [],
		rootMarkers: ["dub.json", "dub.sdl"],
		looseFiles: true,
		languageId: "d",
		// It asks dub for the project, and dub runs the commands that a package names.
		runsRepositoryCode: true,
		install: { url: "https://github.com/Pure-D/serve-d#installation" },
		homepage: "https://github.com/Pure-D/serve-d",
	},
	{
		id: "nimlangserver",
		match: ["nim", "nims", "nimble"],
		command: "nimlangserver",
		args: [],
		rootMarkers: ["*.nimble", "nim.cfg"],
		looseFiles: true,
		languageId: "nim",
		// The compiler runs static blocks, macros and .nims files.
		runsRepositoryCode: true,
		install: { nimble: ["nimlangserver"] },
		homepage: "https://github.com/nim-lang/langserver",
	},
	{
		id: "crystalline",
		match: ["cr"],
		command: "crystalline",
		args: [],
		rootMarkers: ["shard.yml"],
		looseFiles: true,
		languageId: "crystal",
		// The compiler's `run` macro runs programs of the project.
		runsRepositoryCode: true,
		install: { brew: ["crystalline"], url: "https://github.com/elbywan/crystalline#installation" },
		homepage: "https://github.com/elbywan/crystalline",
	},
	{
		id: "ols",
		match: ["odin"],
		command: "ols",
		args: [],
		rootMarkers: ["ols.json"],
		looseFiles: true,
		languageId: "odin",
		// ols.json may name the compiler that is run.
		runsRepositoryCode: true,
		prerequisites: ["odin"],
		install: { brew: ["ols"], url: "https://github.com/DanielGavin/ols#installation" },
		homepage: "https://github.com/DanielGavin/ols",
	},
	{
		id: "v-analyzer",
		match: ["v", "vsh", "vv"],
		shebangs: ["v"],
		// The same extension is Verilog's.
		alternative: "verilog",
		usedBy: { files: ["v.mod"] },
		exclusive: true,
		command: "v-analyzer",
		args: ["--stdio"],
		rootMarkers: ["v.mod"],
		languageId: "v",
		// .v-analyzer/config.toml names the compiler that it runs.
		runsRepositoryCode: true,
		install: { url: "https://github.com/vlang/v-analyzer#installation" },
		homepage: "https://github.com/vlang/v-analyzer",
	},
	{
		id: "fortls",
		match: ["f", "for", "ftn", "f77", "f90", "f95", "f03", "f08", "f18"],
		command: "fortls",
		args: ["--notify_init", "--disable_autoupdate"],
		rootMarkers: [".fortlsrc", ".fortls", ".fortls.json", "fpm.toml"],
		looseFiles: true,
		languageId: "fortran",
		// It hands `#if` lines to Python's eval, with what `#define` puts into them.
		runsRepositoryCode: true,
		install: { pip: ["fortls==3.2.2"], brew: ["fortls"] },
		homepage: "https://fortls.fortran-lang.org",
	},
	{
		id: "ada-language-server",
		match: ["adb", "ads", "gpr"],
		command: "ada_language_server",
		args: [],
		rootMarkers: ["*.gpr", "alire.toml"],
		looseFiles: true,
		languageId: { gpr: "gpr", "*": "ada" },
		// Alire runs the actions that a crate names.
		runsRepositoryCode: true,
		install: { url: "https://github.com/AdaCore/ada_language_server/releases" },
		homepage: "https://github.com/AdaCore/ada_language_server",
	},
	{
		id: "asm-lsp",
		match: ["asm", "s", "nasm"],
		command: "asm-lsp",
		args: [],
		rootMarkers: [".asm-lsp.toml"],
		looseFiles: true,
		languageId: "asm",
		// It assembles with the compiler that compile_flags.txt or .asm-lsp.toml names.
		runsRepositoryCode: true,
		install: { cargo: ["asm-lsp"] },
		homepage: "https://github.com/bergercookie/asm-lsp",
	},
];
