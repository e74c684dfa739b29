import { expect, test } from "vitest";
import { sourceFile } from "../../src/query/text-at-position.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";

const line = "export const value = 12;\n";

/** True if a file that is quoted a second time is not taken apart again. What is a moment old is looked at again. */
async function isKept(ws: Workspace, file: string): Promise<boolean> {
	const isSame = async (name: string) => {
		const quote = () => sourceFile(ws.path(name), () => true);
		const first = await quote();
		return first === (await quote());
	};
	await until("the files are old enough", async () =>
		(await isSame("small.ts")) ? met(true) : notYet("they were just written"),
	);
	return isSame(file);
}

test("small and large files are quoted from what was read last, the largest are not kept", () =>
	withWorkspace({ "large.ts": line.repeat(5000), "huge.ts": line.repeat(20_000), "small.ts": line }, async (ws) => {
		expect(await isKept(ws, "small.ts")).toBe(true);
		expect(await isKept(ws, "large.ts")).toBe(true);
		expect(await isKept(ws, "huge.ts")).toBe(false);
		expect((await sourceFile(ws.path("huge.ts"), () => true))?.lines).toHaveLength(20_001);
	}));

test("a change is seen, and what is not ours is not read", () =>
	withWorkspace({ "large.ts": line.repeat(5000), "small.ts": line }, async (ws) => {
		expect(await isKept(ws, "large.ts")).toBe(true);
		ws.write("large.ts", line.repeat(4999));
		expect((await sourceFile(ws.path("large.ts"), () => true))?.lines).toHaveLength(5000);
		expect(await sourceFile(ws.path("large.ts"), () => false)).toBeUndefined();
		expect(await sourceFile(ws.path("gone.ts"), () => true)).toBeUndefined();
	}));
