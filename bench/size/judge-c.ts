import { existsSync, readFileSync } from "node:fs";
import { isAbsolute, join, relative } from "node:path";
import { runCommand } from "../../test/support/run-command.ts";
import type { Workspace } from "../../test/support/workspace.ts";
import { cached, run } from "../registries.ts";
import type { Errors } from "../truth/errors.ts";

/** How many files are compiled at a time. */
const processes = 2;

/** The compiler of the same release whose front end clangd has; the registry contains it as a part of clang-tidy. */
function compiler(): string {
	const directory = cached("clang-tidy-22.1.8", (into) => {
		run("python3", ["-m", "pip", "install", "--quiet", "--target", into, "clang-tidy==22.1.8"], into);
	});
	const file = join(directory, "clang_tidy/data/bin/clang-tidy");
	if (!existsSync(file)) throw new Error("clang-tidy was not installed");
	return file;
}

/** The places of all errors in the files of the compile commands. */
export function judgeC(ws: Pick<Workspace, "env">, root: string): Promise<Errors> {
	const database = JSON.parse(readFileSync(join(root, "compile_commands.json"), "utf8")) as { readonly file: string }[];
	const files = database.map(({ file }) => file);
	return errorsOfC(ws, root, files, (file) => ["-p", root, file]);
}

/** The places of all errors; an error of a header counts once. `argumentsOf`: how a file is compiled. */
export async function errorsOfC(
	ws: Pick<Workspace, "env">,
	root: string,
	files: readonly string[],
	argumentsOf: (file: string) => readonly string[],
): Promise<Errors> {
	const left = [...files];
	const errors = new Map<string, Set<string>>();
	const worker = async () => {
		for (let next = left.pop(); next !== undefined; next = left.pop())
			for (const [, path = "", line] of (await compile(ws, root, argumentsOf(next))).matchAll(
				/^(\S[^:\n]*):(\d+):\d+: (?:fatal )?error: /gm,
			)) {
				const file = isAbsolute(path) ? relative(root, path) : path;
				errors.set(file, (errors.get(file) ?? new Set()).add(`${line} `));
			}
	};
	await Promise.all(Array.from({ length: processes }, worker));
	return errors;
}

async function compile(ws: Pick<Workspace, "env">, root: string, args: readonly string[]): Promise<string> {
	const options = ["--quiet", "--checks=-*,misc-static-assert", "--extra-arg=-ferror-limit=0", "--extra-arg=-w"];
	const { stdout, stderr } = await runCommand(compiler(), [...options, ...args], {
		cwd: root,
		env: ws.env,
		timeoutMs: 120_000,
	});
	return `${stdout}\n${stderr}`;
}
