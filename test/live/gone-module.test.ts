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

describe.skipIf(!isThere("pyright-langserver"))("pyright: a module that a command removes", () => {
	test("breaks the files that import it, also those that were never proven", () =>
		withAgent(async (ws, agent) => {
			await agent.check(["other.py"], "file");
			const answer = await agent.command(new Map([["shop/item.py", module]]), () => rmSync(ws.path("shop/item.py")));
			expect(errorsOf(answer)).toEqual(broken);
		}));

	test("breaks them as well when it has moved", () =>
		withAgent(async (ws, agent) => {
			await agent.check(["other.py"], "file");
			const answer = await agent.command(new Map([["shop/item.py", module]]), () =>
				renameSync(ws.path("shop/item.py"), ws.path("shop/thing.py")),
			);
			expect(errorsOf(answer)).toEqual(broken);
		}));
});

const crate = {
	"Cargo.toml": '[package]\nname = "gone"\nversion = "0.1.0"\nedition = "2021"\n',
	"src/lib.rs": "mod item;\nmod shop;\n",
	"src/item.rs": "pub fn count() -> i32 {\n    1\n}\n",
	"src/shop.rs": "pub fn total() -> i32 {\n    crate::item::count()\n}\n",
};

describe.skipIf(!isThere("rust-analyzer") || !isThere("cargo"))(
	"rust-analyzer: a module that a command removes",
	() => {
		test("breaks the file that declares it, which is named in the command's own result", () =>
			withAgent(async (ws, agent) => {
				await agent.check(["src/shop.rs"], "file");
				const text = crate["src/item.rs"];
				const answer = await agent.command(new Map([["src/item.rs", text]]), () => rmSync(ws.path("src/item.rs")));
				expect(Object.keys(errorsOf(answer))).toEqual(["src/lib.rs"]);
				expect(errorsOf(answer)["src/lib.rs"]).toContain("1 E0583");
			}, crate));
	},
);

function withAgent(
	body: (ws: Workspace, agent: Agent) => Promise<void>,
	project: Readonly<Record<string, string>> = files,
): Promise<void> {
	return withWorkspace(project, async (ws) => {
		const env = withServers(ws.env);
		const path = process.env.PATH;
		// The daemon asks its caller for the environment of a server that it starts, and the caller is this process.
		process.env.PATH = env.PATH;
		process.env.PI_LSP_TRUST = "1";
		const daemon = await connectDaemon(env);
		try {
			await body(ws, new Agent(daemon, ws.root));
		} finally {
			daemon.close();
			process.env.PATH = path;
			delete process.env.PI_LSP_TRUST;
		}
	});
}

/** The errors of the files with errors that an answer names. */
function errorsOf({ findings }: Answer): Record<string, string[]> {
	return Object.fromEntries(
		findings.filter(({ errors }) => errors.size > 0).map(({ file, errors }) => [file, [...errors]]),
	);
}
