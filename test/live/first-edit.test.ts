import { expect, test } from "vitest";
import { edit } from "../faces/pi/calls.ts";
import { runPi } from "../faces/pi/run-pi.ts";
import { withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

const money = "module money\n  implicit none\n  integer :: rate\n  integer :: fee\nend module money\n";

test.skipIf(!isThere("fortls"))(
	"an error of the first edit is not reported as an earlier one by fortls, which reads the disk",
	() =>
		withWorkspace({ "money.f90": money, ".pi-lsp.json": `{ "coldMs": 60000 }` }, async (ws) => {
			const run = await runPi(
				ws,
				[{ calls: [edit("money.f90", ["integer :: fee", "integer :: rate"])] }, { text: "Done." }],
				{
					env: { PATH: withServers(ws.env).PATH ?? "", PI_LSP_TRUST: "1" },
				},
			);
			expect(run.result()).toContain("LSP errors detected in this file, please fix:");
			expect(run.result()).not.toContain("there before");
		}),
);

test.skipIf(!isThere("terraform-ls"))(
	"an error of the first edit is reported although terraform-ls publishes nothing for the clean file before it",
	() =>
		withWorkspace(
			{ "main.tf": 'variable "a" {\n  type = string\n}\n', ".pi-lsp.json": `{ "coldMs": 60000 }` },
			async (ws) => {
				const run = await runPi(ws, [{ calls: [edit("main.tf", ["type =", "typ ="])] }, { text: "Done." }], {
					env: { PATH: withServers(ws.env).PATH ?? "", PI_LSP_TRUST: "1" },
				});
				expect(run.result()).toContain("LSP errors detected in this file, please fix:");
				expect(run.result()).toContain("is not expected here");
				expect(run.result()).not.toContain("there before");
			},
		),
);
