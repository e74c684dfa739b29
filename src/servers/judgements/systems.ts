import type { Judgements } from "./judgement.ts";

const offline = { GOTOOLCHAIN: "local", GOPROXY: "off" };

export const systemsJudgements: Judgements = {
	gopls: {
		runs: "`go list` at start, which may run another Go that go.mod names, switched off; for cgo the C compiler with checked flags",
		reads: "the module cache, GOROOT, go.env of the person, go.work of all parents",
		writes: "only its own: the build and module caches, counters, temporary go.mod files",
		fetches: "modules that go.mod requires, from the host in their path where no proxy knows them; switched off",
		needs: { environment: offline },
		source: [
			"golang/tools internal/gocommand/invoke.go:248",
			"golang/tools gopls/internal/cache/view.go:704",
			"golang/tools gopls/internal/cache/load.go:374",
		],
	},
	"golangci-lint": {
		runs: "golangci-lint on open and save: plugins that its configuration names are shared objects",
		reads: "golangci's configuration of all parents and of the home directory, the module cache",
		writes: "golangci's cache, Go's build cache",
		fetches: "modules that go.mod requires",
		needs: "trust",
		source: ["nametake/golangci-lint-langserver handler.go:84"],
	},
	templ: {
		runs: "gopls of PATH at start, and by it `go list`; prettier of PATH in a shell, only to format",
		reads: "what gopls reads",
		writes: "nothing itself: generated Go stays in memory; gopls its caches",
		fetches: "what gopls fetches: modules that go.mod requires, switched off",
		needs: { environment: offline },
		source: ["a-h/templ cmd/templ/lspcmd/pls/main.go:98", "a-h/templ internal/prettier/prettier.go:88"],
	},
	clangd: {
		runs: "nothing: compilers of a compile database are asked only with --query-driver, .clang-tidy loads no plugins",
		reads: "headers of the system and of -I flags, .clang-tidy of all parents; .clangd is switched off",
		writes:
			"where flags of the compile database say so: log, module and diagnostics files; preambles in the temporary directory",
		fetches: "nothing: no remote index",
		needs: {
			args: ["--background-index=false", "--enable-config=0", "--use-dirty-headers"],
			ours: "without trust it gets a clean copy of the compile database",
		},
		source: ["llvm/llvm-project clang-tools-extra/clangd/TidyProvider.cpp:86"],
	},
	"rust-analyzer": {
		runs: "cargo at start (compilers that .cargo/config.toml names), build scripts, proc macros, `cargo check` on save; off untrusted",
		reads: ".cargo/config.toml and toolchain files of all parents, the sysroot, the registry's sources",
		writes:
			"target/ in the workspace by cargo, not untrusted; a missing Cargo.lock, also where a link of that name leads, refused without trust",
		fetches: "crates that Cargo.toml requires, by cargo",
		needs: {
			initializationOptions: {
				cargo: { buildScripts: { enable: false } },
				procMacro: { enable: false },
				checkOnSave: false,
			},
			environment: { CARGO_CACHE_RUSTC_INFO: "0" },
			unless: [
				".cargo/config",
				".cargo/config.toml",
				"rust-toolchain",
				"rust-toolchain.toml",
				"rust-project.json",
				".rust-project.json",
				"rust-analyzer.toml",
			],
			ours: "no root and no marker of the tree's configuration, and what stands in parents counts; not started where Cargo.lock is a link",
		},
		source: [
			"rust-lang/rust-analyzer crates/project-model/src/cargo_workspace.rs:656",
			"rust-lang/rust-analyzer crates/project-model/src/build_dependencies.rs:443",
			"rust-lang/rust-analyzer crates/project-model/src/sysroot.rs:163",
		],
	},
	zls: {
		runs: "`zig build` with its own runner, which compiles and runs build.zig, on open and on save",
		reads: "Zig's library, zls.json of the person's configuration",
		writes: "zig-cache in the workspace, Zig's global cache",
		fetches: "packages that build.zig.zon names, from the addresses there",
		needs: "trust",
		source: ["zigtools/zls src/DocumentStore.zig:1343"],
	},
	"sourcekit-lsp": {
		runs: "Package.swift, macros and plugins of packages, the program that buildServer.json names, at start and on index",
		reads: "the toolchain and SDKs, .sourcekit-lsp/config.json of the home directory",
		writes: ".build in the workspace",
		fetches: "packages that Package.swift requires",
		needs: "trust",
		source: [
			"swiftlang/sourcekit-lsp Sources/BuildServerIntegration/SwiftPMBuildServer.swift:359",
			"swiftlang/sourcekit-lsp Sources/BuildServerIntegration/ExternalBuildServerAdapter.swift:410",
		],
	},
};
