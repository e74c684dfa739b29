import { dirname, relative } from "node:path";
import { readToml, tableAt } from "../../project/manifests/toml.ts";
import { pythonEnvironment } from "../../project/python-environment.ts";
import type { CommandContext, ProjectTool } from "../tool.ts";
import { binsAbove } from "./script.ts";

const manifests = [
	"pyproject.toml",
	"setup.py",
	"setup.cfg",
	"tox.ini",
	"pytest.ini",
	"requirements.txt",
	"conftest.py",
];

function isPython({ names }: CommandContext): boolean {
	return manifests.some((name) => names.has(name));
}

export const mypy: ProjectTool = {
	id: "mypy",
	languages: ["python"],
	async command(job, place) {
		if (job !== "build" || !isPython(place) || (await isPyrights(place))) return undefined;
		return { words: ["mypy", ".", "--no-error-summary", "--show-column-numbers"], searched: await programsOf(place) };
	},
};

export const pyright: ProjectTool = {
	id: "pyright",
	languages: ["python"],
	async command(job, place) {
		if (job !== "build" || !isPython(place)) return undefined;
		return { words: ["pyright"], searched: [...(await programsOf(place)), ...binsAbove(place)] };
	},
};

export const pytest: ProjectTool = {
	id: "pytest",
	languages: ["python"],
	async command(job, place) {
		if (job !== "test" || !isPython(place)) return undefined;
		const { report, chosen = [], directory } = place;
		const wanted = chosen.flatMap(({ file, tests }) => {
			const path = relative(directory, file);
			return tests.length === 0 ? [path] : tests.map((test) => `${path}::${test.replaceAll(".", "::")}`);
		});
		return {
			words: ["pytest", "-q", "-o", "junit_family=xunit1", `--junitxml=${report}`, ...wanted],
			searched: await programsOf(place),
			report: { form: "junit", file: report },
			noTests: 5,
		};
	},
};

/** The default is mypy. */
async function isPyrights({ names, directories, directory }: CommandContext): Promise<boolean> {
	if (["mypy.ini", ".mypy.ini"].some((name) => names.has(name))) return false;
	const tool = tableAt(readToml((await directories.text(directory, "pyproject.toml")) ?? ""), "tool");
	if (Object.hasOwn(tool, "mypy")) return false;
	return names.has("pyrightconfig.json") || Object.hasOwn(tool, "pyright");
}

async function programsOf({ directory, workspace, env }: CommandContext): Promise<string[]> {
	const interpreter = (await pythonEnvironment(directory, workspace, env))?.interpreter;
	return interpreter === undefined ? [] : [dirname(interpreter)];
}
