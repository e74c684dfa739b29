import { renameSync, rmSync } from "node:fs";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { Agent, type Answer } from "../../bench/truth/agent.ts";
import { connectDaemon } from "../../src/daemon/lifecycle/connect.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

const module = "class Item:\n    name: str\n\n\ndef make() -> Item:\n    return Item()\n";
const broken = {
	"cart.py": ["1 reportMissingImports"],
	"shop/__init__.py": ["1 reportMissingImports"],
	"till.py": ["1 reportAttributeAccessIssue"],
};
const files = {
	"pyproject.toml": "[project]\nname = 'x'\n",
	"shop/__init__.py": "from .item import Item as Item, make as make\n",
	"shop/item.py": module,
	"cart.py": "from shop.item import make\n\nn: int = make().name\n",
	"till.py": "from shop import Item\n\nitem: Item\n",
	"other.py": "n: int = ''\n",
};

describe.skipIf(!isThere("pyright-langserver"))("pyright: a module that a command takes away", () => {
	test("breaks the files that import it, also those that were never proven", () =>
		withAgent(async (ws, agent) => {
			await agent.check(["other.py"], "file");
			const answer = await agent.command(new Map([["shop/item.py", module]]), () => rmSync(ws.path("shop/item.py")));
			expect(toldOf(answer)).toEqual(broken);
		}));

	test("breaks them as well when it has moved elsewhere", () =>
		withAgent(async (ws, agent) => {
			await agent.check(["other.py"], "file");
			const answer = await agent.command(new Map([["shop/item.py", module]]), () =>
				renameSync(ws.path("shop/item.py"), ws.path("shop/thing.py")),
			);
			expect(toldOf(answer)).toEqual(broken);
		}));
});

function withAgent(body: (ws: Workspace, agent: Agent) => Promise<void>): Promise<void> {
	return withWorkspace(files, async (ws) => {
		const env = withServers(ws.env);
		const path = process.env.PATH;
		// The daemon asks its caller for the environment of a server that it starts, and the caller is this process.
		process.env.PATH = env.PATH;
		const daemon = await connectDaemon(env);
		try {
			await body(ws, new Agent(daemon, ws.root));
		} finally {
			daemon.close();
			process.env.PATH = path;
		}
	});
}

/** The errors of the files that an answer names and that have some. */
function toldOf({ said }: Answer): Record<string, string[]> {
	return Object.fromEntries(
		said.filter(({ errors }) => errors.size > 0).map(({ file, errors }) => [file, [...errors]]),
	);
}
