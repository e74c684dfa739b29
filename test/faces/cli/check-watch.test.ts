import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { expect, test } from "vitest";
import { CLI } from "../../support/repository.ts";
import { met, notYet, until } from "../../support/until.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";

const wrong = `export const n: number = "x";\n`;
const right = "export const n: number = 1;\n";

/** `check src --watch` on a pipe. */
function watch(ws: Workspace) {
	const child = spawn(process.execPath, [CLI, "check", "src", "--watch"], { cwd: ws.root, env: ws.env });
	let printed = "";
	let aside = "";
	child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
		printed += chunk;
	});
	child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
		aside += chunk;
	});
	ws.record(() => `${printed}\n${aside}`);
	/** The output of the check with this number, after it has begun to wait for changes. */
	const check = (number: number, expected: RegExp) =>
		until(`check ${number} prints ${expected}`, () => {
			const waits = aside.split("Waiting for changes").length - 1;
			return waits >= number && expected.test(printed) ? met(printed) : notYet(`${waits}: ${printed}`);
		});
	const end = async () => {
		child.kill("SIGINT");
		const begunAt = performance.now();
		const [code] = await once(child, "close");
		// A call that waits for a change lasts a minute.
		expect(performance.now() - begunAt).toBeLessThan(20_000);
		return code as number;
	};
	return { check, end, forget: () => (printed = "") };
}

test("check --watch checks again after each change, and exits by Ctrl-C with the last check's exit code", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, "src/a.ts": right, "src/b.ts": right }, async (ws) => {
		const watched = watch(ws);
		await watched.check(1, /src\/a\.ts: clean/);
		watched.forget();
		ws.write("src/a.ts", wrong);
		await watched.check(2, /Type 'string' is not assignable to type 'number'/);
		watched.forget();
		ws.write("src/c.ts", wrong);
		await watched.check(3, /src\/c\.ts/);
		expect(await watched.end()).toBe(1);
		const again = watch(ws);
		await again.check(1, /src\/c\.ts/);
		ws.write("src/a.ts", right);
		ws.write("src/c.ts", right);
		await again.check(2, /src\/c\.ts: clean/);
		expect(await again.end()).toBe(0);
	}));
