import { describe, expect, test } from "vitest";
import { planPatch } from "../../src/planning/patch.ts";
import { PlannedTree } from "../../src/planning/planned-tree.ts";
import { withTree } from "../writer/tree.ts";

/** The moves and texts of a patch of `a.ts` (`one`) and an empty `empty.ts`. */
async function planned(...lines: readonly string[]) {
	return withTree({ "a.ts": "one\n", "empty.ts": "" }, async (tree) => {
		const planning = new PlannedTree({ workspace: tree.root, encoding: "utf-16" });
		await planPatch([...lines, ""].join("\n"), planning, (name) => tree.path(name));
		const { moves, files } = await planning.finish("patch");
		const plain = (path: string) => path.slice(tree.root.length + 1);
		return {
			moves: moves.map(({ from, to }) => [plain(from), plain(to)]),
			texts: Object.fromEntries(files.map(({ path, after }) => [plain(path), after?.toString()])),
		};
	});
}

const rename = ["diff --git a/a.ts b/b.ts", "similarity index 100%", "rename from a.ts", "rename to b.ts"];
const copy = ["diff --git a/a.ts b/b.ts", "similarity index 100%", "copy from a.ts", "copy to b.ts"];
const hunk = ["--- a/a.ts", "+++ b/b.ts", "@@ -1 +1 @@", "-one", "+two"];

describe("a patch of git", () => {
	test("moves a file whose text is unchanged", async () => {
		expect(await planned(...rename)).toEqual({ moves: [["a.ts", "b.ts"]], texts: {} });
	});

	test("copies a file, with and without another text, and keeps the original", async () => {
		expect(await planned(...copy)).toEqual({ moves: [], texts: { "b.ts": "one\n" } });
		expect(await planned(...copy, ...hunk)).toEqual({ moves: [], texts: { "b.ts": "two\n" } });
	});

	test("creates and deletes empty files", async () => {
		expect(await planned("diff --git a/b.ts b/b.ts", "new file mode 100644", "index 0000000..e69de29")).toEqual({
			moves: [],
			texts: { "b.ts": "" },
		});
		const gone = ["diff --git a/empty.ts b/empty.ts", "deleted file mode 100644", "index e69de29..0000000"];
		expect(await planned(...gone)).toEqual({ moves: [], texts: { "empty.ts": undefined } });
	});

	test("is refused if it only changes a mode, or a file that is no text", async () => {
		const mode = ["diff --git a/a.ts b/a.ts", "old mode 100644", "new mode 100755"];
		await expect(planned(...mode)).rejects.toThrow("it changes nothing");
		const binary = ["diff --git a/i.png b/i.png", "index 1..2", "Binary files a/i.png and b/i.png differ"];
		await expect(planned(...binary)).rejects.toThrow("it changes nothing");
		await expect(planned(...rename, ...binary)).rejects.toThrow("i.png is no text");
	});
});
