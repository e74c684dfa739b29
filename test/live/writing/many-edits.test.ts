import { expect, test } from "vitest";
import { withFakeServer } from "../../query/fake-project.ts";
import { isRefused } from "../../writing/refused.ts";

const edit = (line: number) => ({
	range: { start: { line, character: 0 }, end: { line, character: 4 } },
	newText: "other",
});

const many = 10_000;
const nameOf = (index: number) => `many/d${index % 100}/f${index}.txt`;

test(
	`an edit of ${many} files is refused whole if one cannot be changed, and otherwise written and taken back whole`,
	{
		timeout: 600_000,
	},
	() =>
		withFakeServer(
			(root) => {
				const uris = Array.from({ length: many }, (_, index) => `file://${root}/${nameOf(index)}`);
				const good = Object.fromEntries(uris.map((uri) => [uri, [edit(0)]]));
				return {
					capabilities: { renameProvider: true, documentSymbolProvider: false },
					on: [
						{
							method: "textDocument/rename",
							nth: 1,
							do: [{ reply: { changes: { ...good, [`file://${root}/gone.txt`]: [edit(1)] } } }],
						},
						{ method: "textDocument/rename", do: [{ reply: { changes: good } }] },
					],
				};
			},
			async ({ ws }) => {
				for (let index = 0; index < many; index++) ws.write(nameOf(index), "name\n");
				const words = ["rename", "a.zzz", "2:name", "other"];
				await isRefused(ws, words, "gone.txt cannot be changed: it does not exist");
				const { code, stdout } = await ws.cli([...words, "--json"], { timeoutMs: 300_000 });
				const answer = JSON.parse(stdout) as { written: string[] };
				expect(answer).toMatchObject({ undo: "u1", check: { omitted: { files: many - 500 } } });
				expect(answer.written.length).toBe(many);
				// Some files are not proven.
				expect(code).toBe(3);
				const countOf = (text: string) =>
					Array.from({ length: many }, (_, index) => ws.read(nameOf(index))).filter((each) => each === text).length;
				expect(countOf("other\n")).toBe(many);
				await ws.cli(["undo"], { timeoutMs: 300_000 });
				expect(countOf("name\n")).toBe(many);
			},
		),
);
