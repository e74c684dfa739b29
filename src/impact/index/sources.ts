/** A family's files use each other's declarations. */
const families: Readonly<Record<string, string>> = {
	script: "ts tsx mts cts js jsx mjs cjs vue svelte astro",
	python: "py pyi pyx pxd",
	c: "c h cc cpp cxx c++ hh hpp hxx h++ inl ipp tpp ixx cppm cu cuh m mm",
	go: "go",
	rust: "rs",
	jvm: "java kt kts groovy gradle scala sc clj cljs cljc",
	dotnet: "cs csx fs fsi fsx vb",
	ruby: "rb rake gemspec ru",
	php: "php phtml",
	swift: "swift",
	dart: "dart",
	zig: "zig",
	lua: "lua luau",
	beam: "ex exs erl hrl gleam",
	haskell: "hs lhs hsc",
	ocaml: "ml mli mll mly re rei",
	elm: "elm",
	nim: "nim nims",
	d: "d di",
	crystal: "cr",
	julia: "jl",
	r: "r",
	perl: "pl pm t",
	shell: "sh bash zsh",
	solidity: "sol",
	proto: "proto",
	graphql: "graphql gql",
	terraform: "tf tfvars",
	nix: "nix",
	pascal: "pas pp dpr",
	fortran: "f f90 f95 f03 f08",
	ada: "adb ads",
	verilog: "v sv svh",
	vhdl: "vhd vhdl",
	typst: "typ",
	data: "json jsonc webmanifest geojson yaml yml toml",
};

const byExtension: ReadonlyMap<string, string> = new Map(
	Object.entries(families).flatMap(([family, extensions]) =>
		extensions.split(" ").map((extension) => [extension, family] as const),
	),
);

export function familyOf(path: string): string | undefined {
	const dot = path.lastIndexOf(".");
	if (dot < 0 || path.includes("/", dot)) return undefined;
	return byExtension.get(path.slice(dot + 1).toLowerCase());
}

export function isSource(path: string): boolean {
	const family = familyOf(path);
	return family !== undefined && family !== "data";
}

/** It may name its schema; all but TOML may be one. */
export function isData(path: string): boolean {
	return familyOf(path) === "data";
}

/** Sources of two known families cannot break or mend each other. */
export function mayConcern(one: string, other: string): boolean {
	const families = [one, other].map(familyOf);
	return families.some((family) => family === undefined || family === "data") || families[0] === families[1];
}
