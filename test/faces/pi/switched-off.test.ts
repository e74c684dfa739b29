import { expect, test } from "vitest";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { runPi } from "./run-pi.ts";

test("`lsp: false` takes all tools away, whatever a flag says", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, ".pi-lsp.json": '{ "lsp": false }' }, async (ws) => {
		const { requests } = await runPi(ws, [{ text: "Done." }], { args: ["--lsp-tools", "all"] });
		const names = (requests[0]?.tools ?? []).map(({ name }) => name);
		expect(names.length).toBeGreaterThan(0);
		expect(names.filter((name) => name.startsWith("lsp"))).toEqual([]);
	}));
