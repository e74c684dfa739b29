import { expect, test } from "vitest";
import { Hub } from "../../src/daemon/hub.ts";
import { withTree } from "../workspace/tree.ts";

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("calls of one turn of the event loop have one look-up; a call of the next one sees what has changed", () =>
	withTree(["ws/.git/"], async (tree) => {
		const hub = new Hub(() => {});
		const caller = { cwd: tree.path("ws") };
		const [first, second] = [hub.settingsOfTurn(caller), hub.settingsOfTurn(caller)];
		expect(second).toBe(first);
		expect((await first).severity).toBe("error");
		tree.write("ws/.pi-lsp.json", `{ "severity": "warning" }`);
		await nextTurn();
		expect((await hub.settingsOfTurn(caller)).severity).toBe("warning");
	}));

test("callers in other directories, with another trust or a configuration of their own, share nothing", () =>
	withTree(["ws/.git/", "other/.git/"], async (tree) => {
		const hub = new Hub(() => {});
		const cwd = tree.path("ws");
		const config = { file: tree.write("own.json", `{ "severity": "hint" }`), directory: tree.base };
		const lookups = [
			hub.settingsOfTurn({ cwd }),
			hub.settingsOfTurn({ cwd: tree.path("other") }),
			hub.settingsOfTurn({ cwd, trust: true }),
			hub.settingsOfTurn({ cwd, config }),
		];
		expect(new Set(lookups).size).toBe(4);
		const [plain, , trusted, configured] = await Promise.all(lookups);
		expect([plain?.trusted, trusted?.trusted]).toEqual([false, true]);
		expect([plain?.severity, configured?.severity]).toEqual(["error", "hint"]);
	}));
