import { expect, test } from "vitest";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import { withRpcPi } from "./rpc-pi.ts";
import { runPi } from "./run-pi.ts";

test("`lsp: false` removes all tools, whatever a flag says", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, ".pi-lsp.json": '{ "lsp": false }' }, async (ws) => {
		const { requests } = await runPi(ws, [{ text: "Done." }], { args: ["--lsp-tools", "all"] });
		const names = (requests[0]?.tools ?? []).map(({ name }) => name);
		expect(names.length).toBeGreaterThan(0);
		expect(names.filter((name) => name.startsWith("lsp"))).toEqual([]);
	}));

test("each verb of /lsp reports with `lsp: false` that the configuration switches pi-lsp off", () =>
	withWorkspace({ ...TYPESCRIPT_PROJECT, ".pi-lsp.json": '{ "lsp": false }' }, (ws) =>
		withRpcPi(ws, [], async (pi) => {
			for (const word of ["status", "on", "off", "mode turn"]) {
				const from = await pi.prompt(`/lsp ${word}`);
				const { message } = await pi.event(`/lsp ${word} is answered`, ({ method }) => method === "notify", from);
				expect(message, word).toBe(
					'pi-lsp is switched off by the configuration ("lsp": false); a new session reads it again.',
				);
			}
		}),
	));
