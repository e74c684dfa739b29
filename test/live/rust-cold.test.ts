import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, expect, test } from "vitest";
import { edit } from "../faces/pi/calls.ts";
import { conversationText } from "../faces/pi/model-request.ts";
import { runPi } from "../faces/pi/run-pi.ts";
import { type Workspace, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

const FILE = "src/lib.rs";
const RIGHT = "pub fn f() -> String {\n    let s = String::new();\n    s\n}\n\npub fn g() -> u8 {\n    1\n}\n";
const PROJECT = {
	"Cargo.toml": '[package]\nname = "cold"\nversion = "0.1.0"\nedition = "2021"\n',
	[FILE]: RIGHT,
	".pi-lsp.json": JSON.stringify({ coldMs: 200, warmMs: 20_000, lateMs: 1 }),
};
/** The error is found by the compiler alone. */
const BREAK = edit(FILE, ["    s\n", "    drop(s);\n    s\n"]);
const DONE = { text: "Done." };

function environment(ws: Workspace): Record<string, string> {
	const RUSTUP_HOME = process.env.RUSTUP_HOME ?? join(homedir(), ".rustup");
	return { ...withServers(ws.env), CARGO_NET_OFFLINE: "true", RUSTUP_HOME };
}

/** Waits until the compiler has answered. */
async function compiled(ws: Workspace, env: Record<string, string>): Promise<void> {
	const { stdout } = await ws.cli(["check", FILE, "--timeout", "60000"], { env, timeoutMs: 70_000 });
	expect(stdout).toContain("(E0382)");
}

describe.skipIf(!isThere("rust-analyzer") || !isThere("cargo"))("with rust-analyzer", { timeout: 120_000 }, () => {
	test("an error that the session caused before the first `cargo check` had ended is never reported as an earlier one", () =>
		withWorkspace(PROJECT, async (ws) => {
			const env = { ...environment(ws), PI_LSP_TRUST: "1" };
			const steps = [
				{ calls: [BREAK] },
				async () => {
					await compiled(ws, env);
					return { calls: [edit(FILE, ["    1\n", "    2\n"])] };
				},
				{ calls: [edit(FILE, ["    2\n", "    3\n"])] },
				DONE,
			];
			const run = await runPi(ws, steps, { env, timeoutMs: 100_000 });
			expect(run.result(0)).toContain(`Not checked yet: ${FILE} (rust-analyzer is still `);
			for (const turn of [1, 2]) expect(run.result(turn)).toContain("(E0382)");
			const [last] = run.requests.slice(-1);
			expect(last && conversationText(last)).not.toContain("there before");
		}));
});
