import { relative } from "node:path";
import { LspError } from "../contract/errors.ts";
import { Directories, directoriesUp } from "../project/directories.ts";
import { isInside } from "../util/paths.ts";
import type { CommandContext, Job, ProjectTool, ToolCommand } from "./tool.ts";
import { cargo, dotnet, go, make, swift, zig } from "./tools/compiled.ts";
import { gradle, maven } from "./tools/jvm.ts";
import { mypy, pyright, pytest } from "./tools/python.ts";
import { jest, npm, tsc, vitest } from "./tools/script.ts";

/** In order of preference: a Makefile often calls the others. */
const tools: readonly ProjectTool[] = [
	npm,
	vitest,
	jest,
	tsc,
	go,
	cargo,
	mypy,
	pyright,
	pytest,
	gradle,
	maven,
	dotnet,
	swift,
	zig,
	make,
];

export interface FoundCommand {
	readonly tool: string;
	readonly directory: string;
	readonly command: ToolCommand;
	readonly others: readonly string[];
}

export interface CommandSearch extends Omit<CommandContext, "names" | "directories"> {
	readonly tool: string | undefined;
	readonly language: string | undefined;
}

/** Takes the nearest directory upward that names a tool. Rejects with LSP_NO_PROJECT_ROOT. */
export async function findCommand(job: Job, search: CommandSearch): Promise<FoundCommand> {
	const { directory: from, workspace, tool, language } = search;
	const wanted = tools.filter(
		({ id, languages }) =>
			(tool === undefined || id === tool) && (language === undefined || languages.includes(language)),
	);
	const directories = new Directories();
	for (const directory of directoriesUp(from, workspace)) {
		const isAll = search.chosen?.some(({ file, isDirectory }) => isDirectory && isInside(directory, file));
		const chosen = isAll ? undefined : search.chosen;
		const place = { ...search, chosen, directory, directories, names: await directories.names(directory) };
		const commands = await Promise.all(
			wanted.map(async ({ id, command }) => ({ id, command: await command(job, place) })),
		);
		const [first, ...others] = commands.flatMap(({ id, command }) => (command ? [{ id, command }] : []));
		if (!first) continue;
		return { tool: first.id, directory, command: first.command, others: others.map(({ id }) => id) };
	}
	const where = relative(workspace, from) || "this directory";
	const what = job === "build" ? "how it is built" : "how its tests are run";
	const named = [tool, language].filter((each) => each !== undefined).join(", ");
	throw new LspError("LSP_NO_PROJECT_ROOT", `No manifest in ${where} or above says ${what}${named && ` (${named})`}.`, {
		suggestion: "Name the directory of the project, or its tool.",
	});
}
