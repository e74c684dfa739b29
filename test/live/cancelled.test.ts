import { expect, test } from "vitest";
import { connectDaemon } from "../../src/daemon/lifecycle/connect.ts";
import { pause } from "../../src/util/abort.ts";
import { socketOf } from "../daemon/daemon.ts";
import { Caller } from "../faults/caller.ts";
import { withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";
import { pyrights } from "./pyrights.ts";

const modules = 60;
/** The number of cancellations, each a quarter of a millisecond later. */
const rounds = 60;

for (const { id, program, disable } of pyrights)
	test.skipIf(!isThere(program))(
		`${id} finds references after a search for them that was cancelled, at whatever time`,
		() =>
			withWorkspace(project(disable), async (ws) => {
				const env = withServers(ws.env);
				(await connectDaemon(ws.env)).close();
				const caller = await Caller.connect({ socket: socketOf(ws) ?? "", cwd: ws.root, env, odd: ws.record });
				const ask = () => caller.send("references", { cwd: ws.root, input: { file: "m4.py", symbol: "first_4" } });
				const count = () =>
					(ask().answer as Promise<{ readonly total: number }>).then(
						({ total }) => total,
						({ message }: Error) => message,
					);
				expect(await count()).toBe(3);
				for (let round = 0; round < rounds; round++) {
					const { id: asked, answer } = ask();
					await pause(round / 4);
					caller.cancel(asked);
					await answer.catch(() => {});
					expect(await count(), `cancelled after ${round / 4} ms`).toBe(3);
				}
				caller.close();
			}),
	);

/** Modules that each use a function of the one before. */
function project(disable: readonly string[]) {
	const module = (index: number) => {
		const uses = index === 0 ? "" : `from m${index - 1} import first_${index - 1}\n\nfirst_${index - 1}(1)\n`;
		return `${uses}def first_${index}(a: int) -> int:\n    return a\n\n\nfirst_${index}(2)\n`;
	};
	return {
		".pi-lsp.json": JSON.stringify({ disable }),
		"pyproject.toml": "[project]\nname = 'x'\n",
		...Object.fromEntries(Array.from({ length: modules }, (_, index) => [`m${index}.py`, module(index)])),
	};
}
