import process from "node:process";
import { expect, test } from "vitest";
import { FAKE_SERVER } from "../../fakes/fake.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { write, wrote } from "./calls.ts";
import { conversationText } from "./model-request.ts";
import { runPi } from "./run-pi.ts";

test("edits from before a person trusted the repository are checked then, and reported late", () =>
	withWorkspace({}, async (ws) => {
		ws.write("../fake.json", "{}");
		const fake = {
			id: "fake",
			match: ["fake"],
			languageId: "fake",
			command: process.execPath,
			args: [FAKE_SERVER, ws.path("../fake.json")],
			strategy: "pull",
		};
		ws.write(".pi-lsp.json", JSON.stringify({ servers: [fake], lateMs: 20_000 }));
		const steps = [
			{ calls: [write("a.fake", "WRONG\n")] },
			async () => {
				await ws.cli(["trust", "add", "--yes"]);
				return { calls: [write("notes.txt", "x\n")] };
			},
			{ text: "Done." },
			{ text: "Good." },
		];
		const run = await runPi(ws, steps);
		const [own, line] = run.result(0).split("\n\n");
		expect(own).toBe(wrote("a.fake", "WRONG\n"));
		expect(line).toMatch(/^a\.fake was not proven: .* \/lsp trust add\.$/);
		const [last] = run.requests.slice(-1);
		expect(last && conversationText(last)).toMatch(
			/Checked late, from an earlier edit: The edit was applied\. LSP errors detected[^\n]*\n<diagnostics file="a\.fake">/,
		);
	}));
