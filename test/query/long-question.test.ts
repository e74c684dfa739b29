import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { LspError } from "../../src/contract/errors.ts";
import { met, notYet, until } from "../support/until.ts";
import { withFakeServer } from "./fake-project.ts";

const method = "textDocument/references";

test("a query for references has 120 s, and an edit meanwhile is checked without waiting for it", () => {
	let record = "";
	const script = (root: string) => {
		record = join(root, "../record");
		return { record, publishes: "versioned" as const, on: [{ method, do: [{ never: true as const }] }] };
	};
	return withFakeServer(script, async (project) => {
		await project.check(["a.zzz"]);
		vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
		try {
			let failure: LspError | undefined;
			const ended = project.call("references", { file: "a.zzz", symbol: "name", line: 2 }).catch((error: LspError) => {
				failure = error;
			});
			await until("the server is asked", () => {
				const sent = existsSync(record) ? readFileSync(record, "utf8") : "";
				// The method is also among the capabilities of `initialize`.
				return sent.includes(`"method":"${method}"`) || failure ? met(true) : notYet(sent.slice(-300));
			});
			await vi.advanceTimersByTimeAsync(100_000);
			expect(failure).toBeUndefined();
			const report = await project.editAlone("a.zzz", "name(name)\n/// WRONG\n");
			expect(report.files).toMatchObject([{ path: "a.zzz", state: "fresh", diagnostics: [{ line: 2 }] }]);
			expect(failure).toBeUndefined();
			await vi.advanceTimersByTimeAsync(21_000);
			await ended;
			expect(failure).toMatchObject({ code: "LSP_SERVER_TIMEOUT", message: expect.stringContaining("within 120 s") });
		} finally {
			vi.useRealTimers();
		}
	});
});
