import { createRequire } from "node:module";
import { dirname, isAbsolute, join, relative } from "node:path";
import process from "node:process";
import { runCommand } from "../test/support/run-command.ts";
import { codeOf, type Verdict } from "./truth/errors.ts";

/** Returns a compiler's errors in a project on disk; oracle.md lists the normalisations. */
export type Oracle = () => Promise<Verdict>;

const require = createRequire(import.meta.url);
const longestMs = 120_000;

/** `typescript` is version 7, `typescript-5` is 5.9. */
function tscOf(name: "typescript" | "typescript-5"): string {
	return join(dirname(require.resolve(`${name}/package.json`)), "bin/tsc");
}

/**
 * `tsc` over the projects of a root, one run for each argument list; an error of several runs counts once. `isOwn`
 * distinguishes the files of the corpus from those of its `node_modules`.
 */
export function tscOracle(
	name: "typescript" | "typescript-5",
	root: string,
	runs: readonly (readonly string[])[],
	isOwn: (path: string) => boolean,
): Oracle {
	const program = tscOf(name);
	const env = { PATH: process.env.PATH ?? "", HOME: root, LANG: "C.UTF-8" };
	return async () => {
		const outputs: string[] = [];
		for (const args of runs) {
			const { code, stdout, stderr } = await runCommand(process.execPath, [program, ...args, "--pretty", "false"], {
				cwd: root,
				env,
				timeoutMs: longestMs,
			});
			// 0: clean, 1 and 2: errors, with and without output; any other code is a failure.
			if (typeof code !== "number" || code > 2 || (code > 0 && stdout === ""))
				throw new Error(`tsc ${args.join(" ")} ended with ${code}: ${stderr.slice(0, 500)}${stdout.slice(0, 500)}`);
			outputs.push(stdout);
		}
		return verdictOf(outputs.join("\n"), root, isOwn);
	};
}

/** Parses the output of `tsc --pretty false`: `path(line,column): error TS1234: …`, further lines indented. */
function verdictOf(output: string, root: string, isOwn: (path: string) => boolean): Verdict {
	const errors = new Map<string, Set<string>>();
	const outside = new Set<string>();
	const withoutFile = new Set<string>();
	for (const line of output.split(/\r?\n/)) {
		const match = /^(.+?)\((\d+),\d+\): error TS(\d+): /.exec(line);
		if (!match) {
			if (/^error TS\d+: /.test(line)) withoutFile.add(line);
			else if (line !== "" && !/^\s/.test(line)) throw new Error(`tsc printed an unknown line: ${line}`);
			continue;
		}
		const [, path = "", at, code = ""] = match;
		const file = isAbsolute(path) ? relative(root, path) : path;
		if (!isOwn(file)) outside.add(line);
		else errors.set(file, (errors.get(file) ?? new Set()).add(`${at} ${codeOf(code)}`));
	}
	return { errors, withoutFile: withoutFile.size, outside: outside.size };
}
