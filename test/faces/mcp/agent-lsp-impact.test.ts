import { expect, test } from "vitest";
import { commitAll } from "../../changes/repository.ts";
import { withWorkspace } from "../../support/workspace.ts";
import { withMcp } from "./client.ts";
import { SEED_PROJECT } from "./seed-project.ts";

const profile = { args: ["--profile", "agent-lsp"] };

test("get_change_impact and blast_radius mark what differs, not every export, and detect_changes says the risk", () =>
	withWorkspace(SEED_PROJECT, (ws) =>
		withMcp(ws, profile, async ({ text }) => {
			const ask = async (name: string, given: object) => JSON.parse(await text(name, given));
			const [example, consumer] = [ws.path("src/example.ts"), ws.path("src/consumer.ts")];
			const whole = await ask("get_change_impact", { changed_files: [example] });
			expect(whole.changed_symbols.map(({ name }: { readonly name: string }) => name)).toContain("Person");
			commitAll(ws);
			ws.write("src/example.ts", ws.read("src/example.ts").replace("add(a: number, b", "add(a: number, b?"));
			const impact = await ask("blast_radius", { changed_files: [example] });
			const add = { name: "add", file: example, line: 4 };
			expect(impact.changed_symbols).toEqual([add]);
			expect(impact.affected_symbols).toMatchObject([{ ...add, change: "signature", test_callers: [] }]);
			expect(impact.non_test_callers).toEqual([expect.objectContaining({ file: consumer, line: 4 })]);
			expect(impact).toMatchObject({ test_files: [], test_functions: [], warnings: [], indexed: true });
			const changes = await ask("detect_changes", { workspace_root: ws.root });
			expect(changes).toMatchObject({
				scope: "unstaged",
				changed_files: [example],
				changed_symbols: [{ ...add, change: "signature", risk: expect.stringMatching(/medium|high/) }],
			});
			expect(await ask("detect_changes", { scope: "staged" })).toMatchObject({ changed_symbols: [] });
		}),
	));
