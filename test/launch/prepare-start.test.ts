import { chmodSync } from "node:fs";
import { expect, test } from "vitest";
import { prepareStart } from "../../src/launch/prepare-start.ts";
import { Sandbox } from "../../src/sandbox/sandbox.ts";
import { withTree } from "../config/tree.ts";

test("A server of a tree that is not trusted is started without the variables that lead into it", () =>
	withTree(["ws/venv/"], async (tree) => {
		chmodSync(tree.write("bin/tool-ls", "#!/bin/sh\n"), 0o755);
		const [config, root] = [
			{ id: "tool", match: ["x"], command: "tool-ls", args: [], rootMarkers: [] },
			tree.path("ws"),
		];
		const env = { PATH: tree.path("bin"), VIRTUAL_ENV: tree.path("ws/venv"), LANG: "C" };
		const started = async (trusted: boolean) => {
			const route = {
				config: { ...config, languageId: "x" },
				languageId: "x",
				root,
				trusted,
				stillTrusted: async () => trusted,
			};
			return (await prepareStart(route, root, env, new Sandbox())).launch.env;
		};
		expect(await started(false)).not.toHaveProperty("VIRTUAL_ENV");
		expect(await started(true)).toHaveProperty("VIRTUAL_ENV", env.VIRTUAL_ENV);
	}));
