import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { textOf, withMcp } from "../faces/mcp/client.ts";
import { toolResult } from "../faces/pi/model-request.ts";
import { withRpcPi } from "../faces/pi/rpc-pi.ts";
import { TYPESCRIPT_PROJECT } from "../support/workspace.ts";
import { agent, piShell, screen, tools } from "./clients.ts";
import { install } from "./install.ts";
import { during, withMachine } from "./machine.ts";
import { recipes } from "./recipes.ts";
import { shell } from "./shell.ts";
import { atTheShell, expectRead, type ShellStep, writeFiles } from "./steps.ts";
import { uninstall } from "./uninstall.ts";

const project = {
	...TYPESCRIPT_PROJECT,
	"src/greet.ts": `export function greet(name: string): string {\n\treturn "Hello, " + name;\n}\n`,
	"src/main.ts": `import { greet } from "./greet.ts";\nexport const text: string = greet("you");\n`,
	"tool.py": "def twice(n: int) -> int:\n    return n * 2\n",
};

// Each step depends on the one before it: none is repeated.
describe("a newcomer on a machine with Node, npm and git", { retry: 0, timeout: 110_000 }, () => {
	const machine = during<Parameters<Parameters<typeof withMachine>[1]>[0]>((body) => withMachine(project, body));
	const each = (steps: readonly ShellStep[]) => {
		for (const step of steps) test(step.does, () => atTheShell(machine(), step));
	};

	describe("installs", () => each(install));
	describe("uses the shell", () => each(shell));
	describe("copies a recipe", () => each(recipes));
	describe("sets up an agent", () => each(agent));

	describe("connects an MCP client", () => {
		const mcp = during<Parameters<Parameters<typeof withMcp>[2]>[0]>((body) => {
			const { ws, env, programs } = machine();
			return withMcp(ws, { command: [join(programs, "pi-lsp"), "mcp"], env }, body);
		});
		for (const step of tools) {
			test(step.does, async () => {
				writeFiles(machine().ws, step.writes);
				expectRead(step, textOf(await mcp().call(step.tool, step.input)));
			});
		}
	});

	describe("installs in pi", () => each(piShell));

	describe("works in pi", () => {
		const turns = screen.flatMap((step) => ("call" in step ? [{ calls: [step.call] }, { text: "Done." }] : []));
		const pi = during<Parameters<Parameters<typeof withRpcPi>[2]>[0]>((body) => {
			const { ws, env } = machine();
			return withRpcPi(ws, turns, body, { extension: undefined, env });
		});
		let asked = 0;
		for (const step of screen) {
			test(step.does, async () => {
				if ("line" in step) {
					const from = await pi().prompt(step.line);
					const answer = await pi().event(step.line, ({ method }) => method === "notify", from);
					expectRead(step, String(answer.message));
				} else {
					await pi().ask("Go on.");
					expectRead(step, toolResult(pi().answerTo(asked)));
					asked += 2;
				}
			});
		}
	});

	describe("uninstalls", () => each(uninstall));

	test("takes at least sixty steps", () => {
		const count = [install, shell, recipes, agent, tools, piShell, screen, uninstall].flat().length;
		expect(count).toBeGreaterThanOrEqual(60);
	});
});
