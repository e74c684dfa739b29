import type { Judgements } from "./judgement.ts";

export const hardwareJudgements: Judgements = {
	verible: {
		runs: "nothing: it parses and lints in its own process",
		reads: ".rules.verible_lint of parents with the waiver files it names, files of verible.filelist, also outside",
		writes: "nothing",
		fetches: "nothing",
		needs: "nothing",
		source: [
			"chipsalliance/verible verible/verilog/analysis/verilog-linter.cc:109",
			"chipsalliance/verible verible/verilog/tools/ls/symbol-table-handler.cc:53",
		],
	},
	svls: {
		runs: "plugins of .svls.toml, shared objects, at start",
		reads: ".svls.toml and .svlint.toml of all parents, include paths",
		writes: "nothing by itself; a plugin may",
		fetches: "nothing by itself; plugins may",
		needs: "trust",
		source: ["dalance/svls src/backend.rs:88", "dalance/svlint src/linter.rs:139"],
	},
	"vhdl-ls": {
		runs: "nothing: it analyzes VHDL itself",
		reads: "libraries by the patterns of vhdl_ls.toml, also outside, ~/.vhdl_ls.toml, VHDL_LS_CONFIG",
		writes: "nothing",
		fetches: "nothing",
		needs: "nothing",
		source: ["VHDL-LS/rust_hdl vhdl_lang/src/config.rs:457", "VHDL-LS/rust_hdl vhdl_lang/src/config.rs:416"],
	},
	"wgsl-analyzer": {
		runs: "nothing of the tree: tint of PATH, where a client's settings ask for it; naga is built in",
		reads: "imports that a client's settings name",
		writes: "nothing; a log where it is told to",
		fetches: "nothing",
		needs: "nothing",
		source: ["wgsl-analyzer/wgsl-analyzer crates/ide-diagnostics/src/tint.rs:92"],
	},
	glsl_analyzer: {
		runs: "nothing: shaders are parsed",
		reads: "files that `#include` names, also outside",
		writes: "nothing",
		fetches: "nothing",
		needs: "nothing",
		source: ["nolanderc/glsl_analyzer src/Workspace.zig:97"],
	},
};
