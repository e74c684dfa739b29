import { join, relative } from "node:path";
import { directoriesUp } from "../../project/directories.ts";
import { nodePackages } from "../../project/manifests/node-packages.ts";
import { maxTestTitle } from "../../project/test-functions.ts";
import type { ChosenTests, CommandContext, ProjectTool, ToolCommand } from "../tool.ts";

export const npm: ProjectTool = {
	id: "npm",
	languages: ["javascript", "typescript"],
	async command(job, place) {
		const script = (await scriptsIn(place))[job];
		if (script === undefined || script.includes("no test specified")) return undefined;
		const { commands } = await nodePackages(place.directory, place.workspace);
		const [manager = "npm"] = commands.install.split(" ");
		if (job === "build") return { words: [manager, "run", "build"] };
		const runner = runnerOf(script);
		if (!runner) return { words: [manager, "test"], selects: false };
		const { args, ...rest } = runnerCommand(runner, place, script);
		// npm passes on what follows `--`, others everything.
		const passed = args.length === 0 ? [] : manager === "npm" ? ["--", ...args] : args;
		return { words: [manager, "test", ...passed], ...rest };
	},
};

type Runner = "vitest" | "jest" | "node";

function declaredRunner(id: "vitest" | "jest"): ProjectTool {
	return {
		id,
		languages: ["javascript", "typescript"],
		async command(job, place) {
			if (job !== "test") return undefined;
			const manifest = await place.directories.json(place.directory, "package.json");
			const declared = { ...(manifest?.dependencies as object), ...(manifest?.devDependencies as object) };
			if (!Object.hasOwn(declared, id)) return undefined;
			const { args, ...rest } = runnerCommand(id, place, "run");
			return { words: [id, ...(id === "vitest" ? ["run"] : []), ...args], searched: binsAbove(place), ...rest };
		},
	};
}

export const vitest = declaredRunner("vitest");
export const jest = declaredRunner("jest");

export const tsc: ProjectTool = {
	id: "tsc",
	languages: ["typescript"],
	async command(job, place) {
		if (job !== "build" || !place.names.has("tsconfig.json")) return undefined;
		const text = (await place.directories.text(place.directory, "tsconfig.json")) ?? "";
		// A solution has no files of its own.
		const isSolution = /"references"\s*:/.test(text) && /"files"\s*:\s*\[\s*\]/.test(text);
		const words = isSolution ? (["tsc", "--build"] as const) : (["tsc", "--noEmit"] as const);
		return { words: [...words, "--pretty", "false"], searched: binsAbove(place) };
	},
};

export function binsAbove({ directory, workspace }: CommandContext): string[] {
	return directoriesUp(directory, workspace).map((at) => join(at, "node_modules/.bin"));
}

async function scriptsIn({
	directories,
	directory,
}: CommandContext): Promise<Readonly<Record<string, string | undefined>>> {
	const scripts = (await directories.json(directory, "package.json"))?.scripts;
	if (typeof scripts !== "object" || scripts === null) return {};
	return Object.fromEntries(Object.entries(scripts).filter(([, script]) => typeof script === "string"));
}

/** What runs last: arguments are added at its end. */
function runnerOf(script: string): Runner | undefined {
	const last = script.split(/&&|\|\||[;|&]/).at(-1) ?? "";
	const [, found] =
		/^\s*(?:[A-Z_]+=\S*\s+)*(?:npx\s+|pnpm\s+(?:exec\s+)?|yarn\s+|cross-env\s+)?(vitest|jest|node)\b/.exec(last) ?? [];
	if (found === "node") return /\s--test(?:\s|$)/.test(last) ? "node" : undefined;
	return found as Runner | undefined;
}

interface RunnerCommand extends Omit<ToolCommand, "words"> {
	readonly args: readonly string[];
}

function runnerCommand(runner: Runner, { report, directory, chosen }: CommandContext, script: string): RunnerCommand {
	const files = (chosen ?? []).map(({ file }) => relative(directory, file));
	// Runners do not find test helpers among the chosen files.
	const none = files.length === 0 ? [] : ["--passWithNoTests"];
	// vitest may watch otherwise, and not end.
	const once = /\brun\b/.test(script) ? [] : ["--run"];
	const pattern = namePattern(chosen ?? []);
	const named = pattern === undefined ? [] : [`--testNamePattern=${pattern}`];
	const part = pattern === undefined ? "whole" : "named";
	switch (runner) {
		case "vitest":
			return {
				args: [
					...[...once, "--reporter=default", "--reporter=junit", `--outputFile.junit=${report}`],
					...[...none, ...named, ...files],
				],
				report: { form: "junit", file: report },
				part,
			};
		case "jest": {
			const isWhole = chosen?.some(({ isDirectory }) => isDirectory);
			const selected = files.length === 0 ? [] : [...(isWhole ? [] : ["--runTestsByPath"]), ...files];
			return {
				args: ["--json", `--outputFile=${report}`, "--testLocationInResults", ...none, ...named, ...selected],
				report: { form: "jest", file: report },
				part,
			};
		}
		case "node": {
			// Behind the first file options would be its own.
			const reporters = [`junit ${report}`, "spec stdout"].flatMap((each) => {
				const [name, to] = each.split(" ");
				return [`--test-reporter=${name}`, `--test-reporter-destination=${to}`];
			});
			return {
				args: files,
				env: { NODE_OPTIONS: reporters.join(" ") },
				report: { form: "junit", file: report },
				// Those that the script names run too.
				...(chosen && /\.[cm]?[jt]s\b|\*/.test(script) ? { selects: false } : {}),
			};
		}
	}
}

const maxPattern = 50_000;

/** Undefined if a name is made when the tests run, or was cut (`testCasesOf`). */
function namePattern(chosen: readonly ChosenTests[]): string | undefined {
	const names = chosen.flatMap(({ tests }) => tests);
	if (names.length === 0 || chosen.some(({ tests }) => tests.length === 0)) return undefined;
	if (names.some((name) => /[\\%$`"\n\r]/.test(name) || name.length >= maxTestTitle)) return undefined;
	const escaped = names.map((name) => name.replace(/[.*+?^(){}|[\]]/g, "\\$&").replaceAll(" > ", " (?:> )?"));
	const pattern = `(${[...new Set(escaped)].join("|")})$`;
	return pattern.length > maxPattern ? undefined : pattern;
}
