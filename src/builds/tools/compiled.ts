import { basename, dirname, join, relative } from "node:path";
import type { ChosenTests, ProjectTool } from "../tool.ts";
import { goModules } from "./go-modules.ts";

export const go: ProjectTool = {
	id: "go",
	languages: ["go"],
	async command(job, place) {
		const modules = await goModules(place.directory);
		if (modules.length === 0) return undefined;
		// `./...` does not reach a workspace's modules.
		const all = modules.map(({ directory }) => `./${join(relative(place.directory, directory), "...")}`);
		if (job === "build") return { words: ["go", "build", ...all], output: "go" };
		const { chosen, directory } = place;
		const packages = chosen && [...new Set(chosen.map((each) => packageOf(each, directory)))];
		return { words: ["go", "test", "-json", ...goTests(chosen), ...(packages ?? all)], output: "go" };
	},
};

function packageOf({ file, isDirectory }: ChosenTests, directory: string): string {
	return `./${isDirectory ? join(relative(directory, file), "...") : relative(directory, dirname(file))}`;
}

/** `-run` takes one pattern for all packages. */
function goTests(chosen: readonly ChosenTests[] = []): string[] {
	const names = chosen.flatMap(({ tests }) => tests);
	if (names.length === 0 || chosen.some(({ tests }) => tests.length === 0)) return [];
	return ["-run", `^(${[...new Set(names.map((name) => name.split(".").at(-1)))].join("|")})$`];
}

export const cargo: ProjectTool = {
	id: "cargo",
	languages: ["rust"],
	async command(job, { names, chosen = [] }) {
		if (!names.has("Cargo.toml")) return undefined;
		const form = "--message-format=json";
		if (job === "build") return { words: ["cargo", "build", form], output: "cargo" };
		const tests = chosen.flatMap((each) => each.tests.map((test) => test.replaceAll(".", "::")));
		const isWhole = chosen.length === 0 || chosen.some((each) => each.tests.length === 0);
		const programs = chosen.map(({ file }) => /\/tests\/(\w[\w-]*)(?:\/main)?\.rs$/.exec(file)?.[1]);
		const isOutside = chosen.length > 0 && programs.every((name) => name !== undefined);
		const selected = [
			...(isOutside ? programs.flatMap((name) => ["--test", name ?? ""]) : []),
			// Without `--exact` a name stands for all that contain it; elsewhere the module is not known.
			...(isWhole ? [] : ["--", ...(isOutside ? ["--exact"] : []), ...new Set(tests)]),
		];
		return {
			words: ["cargo", "test", "--no-fail-fast", form, ...selected],
			output: "cargo",
			part: `${isOutside ? "programs" : "library"} ${isWhole ? "whole" : "named"}`,
			...(isWhole && !isOutside ? { selects: false } : {}),
		};
	},
};

export const dotnet: ProjectTool = {
	id: "dotnet",
	languages: ["csharp", "fsharp"],
	async command(job, { names, chosen = [] }) {
		if (![...names].some((name) => /\.(?:sln|slnx|csproj|fsproj|vbproj)$/.test(name))) return undefined;
		const isWhole = chosen.some(({ isDirectory }) => isDirectory);
		const classes = chosen.map(({ file }) => basename(file).replace(/\.\w+$/, ""));
		const filter = isWhole ? "" : classes.map((name) => `FullyQualifiedName~${name}`).join("|");
		return {
			words: ["dotnet", job, "--nologo", ...(job === "test" && filter ? ["--filter", filter] : [])],
			// Otherwise its build servers go on running.
			env: {
				DOTNET_CLI_TELEMETRY_OPTOUT: "1",
				DOTNET_NOLOGO: "1",
				MSBUILDDISABLENODEREUSE: "1",
				DOTNET_CLI_USE_MSBUILD_SERVER: "0",
				UseSharedCompilation: "false",
			},
			...(isWhole ? { selects: false } : {}),
		};
	},
};

export const swift: ProjectTool = {
	id: "swift",
	languages: ["swift"],
	async command(job, { names, chosen = [] }) {
		if (!names.has("Package.swift")) return undefined;
		const isWhole = chosen.some(({ isDirectory }) => isDirectory);
		const filters = (isWhole ? [] : chosen).flatMap(({ file, tests }) => {
			const type = basename(file).replace(/\.\w+$/, "");
			return tests.length === 0 ? [type] : tests.map((test) => test.replace(".", "/"));
		});
		const selected = job === "test" ? filters.flatMap((each) => ["--filter", each]) : [];
		return { words: ["swift", job, ...selected], ...(isWhole ? { selects: false } : {}) };
	},
};

export const zig: ProjectTool = {
	id: "zig",
	languages: ["zig"],
	async command(job, { names }) {
		if (!names.has("build.zig")) return undefined;
		return job === "build" ? { words: ["zig", "build"] } : { words: ["zig", "build", "test"], selects: false };
	},
};

const makefiles = ["GNUmakefile", "makefile", "Makefile"];

export const make: ProjectTool = {
	id: "make",
	languages: ["c", "cpp", "make"],
	async command(job, { names, directories, directory }) {
		const file = makefiles.find((name) => names.has(name));
		if (file === undefined) return undefined;
		if (job === "build") return { words: ["make"] };
		const text = (await directories.text(directory, file)) ?? "";
		const target = ["test", "check"].find((name) => new RegExp(`^${name}\\s*:(?!=)`, "m").test(text));
		return target === undefined ? undefined : { words: ["make", target], selects: false };
	},
};
