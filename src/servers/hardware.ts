import type { ServerConfig } from "../../server.ts";

const verilog = {
	match: ["v", "vh", "sv", "svh"],
	alternative: "verilog",
	looseFiles: true,
	languageId: { v: "verilog", vh: "verilog", "*": "systemverilog" },
} as const;

/** Hardware descriptions and shaders. */
export const hardwareServers: readonly ServerConfig[] = [
	{
		...verilog,
		id: "verible",
		command: "verible-verilog-ls",
		args: [],
		rootMarkers: ["verible.filelist", ".rules.verible_lint"],
		install: { brew: ["chipsalliance/verible/verible"], url: "https://github.com/chipsalliance/verible/releases" },
		homepage: "https://github.com/chipsalliance/verible",
	},
	{
		...verilog,
		id: "svls",
		command: "svls",
		args: [],
		usedBy: { files: [".svls.toml", ".svlint.toml"] },
		rootMarkers: [".svls.toml", ".svlint.toml"],
		// .svlint.toml may name plugins, which are programs.
		runsRepositoryCode: true,
		install: { cargo: ["svls"], brew: ["svls"] },
		homepage: "https://github.com/dalance/svls",
	},
	{
		id: "vhdl-ls",
		match: ["vhd", "vhdl"],
		command: "vhdl_ls",
		args: [],
		rootMarkers: ["vhdl_ls.toml", ".vhdl_ls.toml"],
		languageId: "vhdl",
		install: { cargo: ["vhdl_ls"] },
		homepage: "https://github.com/VHDL-LS/rust_hdl",
	},
	{
		id: "wgsl-analyzer",
		match: ["wgsl"],
		command: "wgsl-analyzer",
		args: [],
		rootMarkers: [".git"],
		looseFiles: true,
		languageId: "wgsl",
		install: { cargo: ["--git https://github.com/wgsl-analyzer/wgsl-analyzer wgsl-analyzer"] },
		homepage: "https://github.com/wgsl-analyzer/wgsl-analyzer",
	},
	{
		id: "glsl_analyzer",
		match: ["glsl", "vert", "frag", "geom", "comp", "tesc", "tese"],
		command: "glsl_analyzer",
		args: [],
		rootMarkers: [".git"],
		looseFiles: true,
		languageId: "glsl",
		diagnoses: false,
		install: { brew: ["glsl_analyzer"], url: "https://github.com/nolanderc/glsl_analyzer/releases" },
		homepage: "https://github.com/nolanderc/glsl_analyzer",
	},
];
