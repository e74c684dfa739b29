import { relative } from "node:path";
import process from "node:process";
import { runCommand } from "../test/support/run-command.ts";
import type { Oracle } from "./oracle.ts";

interface PyrightOutput {
	readonly generalDiagnostics: readonly {
		readonly file: string;
		readonly severity: string;
		readonly rule?: string;
		readonly range?: { readonly start: { readonly line: number } };
	}[];
}

/** `pyright --outputjson` over a project; `program` is pyright's own `index.js`. */
export function pyrightOracle(program: string, root: string, isOwn: (path: string) => boolean): Oracle {
	const env = { PATH: process.env.PATH ?? "", HOME: root, LANG: "C.UTF-8" };
	return async () => {
		const { code, stdout, stderr } = await runCommand(process.execPath, [program, "--outputjson"], {
			cwd: root,
			env,
			timeoutMs: 180_000,
		});
		// 0: clean, 1: errors; any other code is a failure.
		if (code !== 0 && code !== 1) throw new Error(`pyright ended with ${code}: ${(stderr || stdout).slice(0, 500)}`);
		const errors = new Map<string, Set<string>>();
		let [withoutFile, outside] = [0, 0];
		for (const { file, severity, rule = "", range } of (JSON.parse(stdout) as PyrightOutput).generalDiagnostics) {
			if (severity !== "error") continue;
			const path = relative(root, file);
			if (!range) withoutFile++;
			else if (!isOwn(path)) outside++;
			else errors.set(path, (errors.get(path) ?? new Set()).add(`${range.start.line + 1} ${rule}`));
		}
		return { errors, withoutFile, outside };
	};
}
