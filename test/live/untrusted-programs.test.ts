import { chmodSync, existsSync } from "node:fs";
import { expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { withWorkspace } from "../support/workspace.ts";
import { hostileFiles } from "../traces/hostile.ts";
import { languages, missingFor, withServers } from "./languages.ts";

/** Servers that a text or a configuration alone makes run a program. */
const eager = ["fortls", "prisma-language-server", "buf"];

for (const language of languages.filter(({ server }) => eager.includes(server))) {
	const { server, project, file, right } = language;
	const missing = missingFor(language);
	const title = `${server} runs nothing of an untrusted tree, and the answer states that it needs trust`;
	const body = () =>
		withWorkspace(
			{ ...project, [file]: right, ...hostileFiles(server), "evil.sh": "#!/bin/sh\ntouch ran\n" },
			async (ws) => {
				chmodSync(ws.path("evil.sh"), 0o755);
				const env = withServers(ws.env);
				const { stdout, code } = await ws.cli(["check", file, "--json"], { env, timeoutMs: 60_000 });
				// Queries are answered after the server's own work.
				await ws.cli(["hover", file, "1:1"], { env, timeoutMs: 60_000 });
				expect(existsSync(ws.path("ran"))).toBe(false);
				expect(code).toBe(3);
				expect((JSON.parse(stdout) as CheckReport).files[0]?.state).toBe("untrusted");
			},
		);
	if (missing === undefined) test(title, body);
	else test.skip(`${title}: ${missing} is not installed`);
}
