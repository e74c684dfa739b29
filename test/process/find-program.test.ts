import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { findProgram } from "../../src/process/find-program.ts";

test("A program that was missing is found by the next turn of the event loop", async () => {
	const folder = mkdtempSync(join(tmpdir(), "pl-find-"));
	try {
		const looked = [1, 2].map(() => findProgram("sample-server", [folder], undefined));
		expect(await Promise.all(looked)).toEqual([undefined, undefined]);
		writeFileSync(join(folder, "sample-server"), "#!/bin/sh\n", { mode: 0o755 });
		await new Promise((resolve) => setImmediate(resolve));
		expect(await findProgram("sample-server", [folder], undefined)).toBe(join(folder, "sample-server"));
	} finally {
		rmSync(folder, { recursive: true });
	}
});
