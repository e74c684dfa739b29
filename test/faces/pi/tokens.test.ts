import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, test } from "vitest";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";
import type { ModelRequest } from "./model-request.ts";
import { runPi } from "./run-pi.ts";

/** The cost of the default profile's tools for a model at the beginning of a session. */
const most = 2000;

test("the tools of core cost at most 2,000 tokens, schemas and prompt text together, as pi sends them", () =>
	withWorkspace(TYPESCRIPT_PROJECT, async (ws) => {
		const asked = async (...args: string[]) => {
			const { requests } = await runPi(ws, [{ text: "Done." }], { args });
			return requests[0] as ModelRequest;
		};
		const [core, none] = [await asked(), await asked("--lsp-tools=none")];
		const count = (text: string) => encode(text).length;
		const ours = core.tools.filter(({ name }) => !none.tools.some((tool) => tool.name === name));
		const each = ours.map((tool) => [tool.name, count(JSON.stringify({ type: "function", function: tool }))] as const);
		const prompt = (request: ModelRequest) => count(request.messages[0]?.text ?? "");
		const inPrompt = prompt(core) - prompt(none);
		const tools = each.reduce((sum, [, tokens]) => sum + tokens, 0);
		const summary = `${tools} for ${each.map((pair) => pair.join(" ")).join(", ")}; ${inPrompt} in the prompt`;
		ws.record(summary);
		expect(ours.length).toBeGreaterThan(8);
		expect(inPrompt).toBeGreaterThan(0);
		expect(tools + inPrompt, summary).toBeLessThanOrEqual(most);
	}));
