import { existsSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSettings } from "../../src/config/read-settings.ts";
import { REPOSITORY } from "../support/repository.ts";
import { withTree } from "./tree.ts";

const page = readFileSync(join(REPOSITORY, "docs/configuration.md"), "utf8");
const blocks = [...page.matchAll(/^```json\n(.*?)^```/gms)].map(([, block = ""]) => block);

test("the documentation has examples of configurations", () => {
	expect(blocks.length).toBeGreaterThan(1);
});

test.each(blocks)("the documented configuration has no mistake: %s", (block) =>
	withTree(["ws/", "config/pi-lsp/", "ws/node_modules/"], async (tree) => {
		symlinkSync(REPOSITORY, tree.path("ws/node_modules/pi-lsp"));
		tree.write("ws/.pi-lsp.json", block);
		const env = { XDG_CONFIG_HOME: tree.path("config") };
		const { problems } = await readSettings(tree.path("ws"), { env, trust: true });
		expect(problems).toEqual([]);
		const { $schema } = JSON.parse(block) as { $schema?: string };
		if ($schema !== undefined) expect(existsSync(tree.path("ws", $schema)), $schema).toBe(true);
	}),
);
