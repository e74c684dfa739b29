import { expect, test } from "vitest";
import type { CheckReport } from "../../../../src/contract/check-report.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../../support/workspace.ts";

const wrong = `export const n: number = "x";\n`;

async function check(ws: Workspace) {
	const { code, stdout } = await ws.cli(["check", "src", "--format", "json"]);
	return { code, files: (JSON.parse(stdout) as CheckReport).files };
}

test(
	"a check of a thousand files keeps few of them open, and takes account of changes since the last one",
	() =>
		withWorkspace(
			{
				...TYPESCRIPT_PROJECT,
				"src/common.ts": `export const common: number = 1;\n`,
				...Object.fromEntries(
					Array.from({ length: 1000 }, (_, index) => [
						`src/part-${index}/use.ts`,
						`import { common } from "../common.ts";\nexport const own: number = common;\n`,
					]),
				),
			},
			async (ws) => {
				const first = await check(ws);
				expect([first.code, first.files.length]).toEqual([0, 1001]);
				const { servers } = JSON.parse((await ws.cli(["status", "--json"])).stdout) as {
					readonly servers: readonly { readonly documents?: number; readonly open?: number }[];
				};
				expect(JSON.stringify(servers)).toMatch(/"(?:open|documents|openDocuments)":(?:[1-9]|[1-5]\d|6[0-4])\b/);
				ws.write("src/common.ts", `export const common: string = "";\n`);
				const broken = await check(ws);
				expect(broken.files.filter(({ diagnostics }) => diagnostics.length === 1)).toHaveLength(1000);
				const { stdout } = await ws.cli(["check", "src/common.ts", "--scope", "affected", "--format", "json"]);
				const affected = (JSON.parse(stdout) as CheckReport).files.filter(({ role }) => role !== "edited");
				expect(affected.length).toBeGreaterThan(0);
				ws.write("src/common.ts", `export const common: number = 2;\n`);
				ws.write("src/part-7/use.ts", wrong);
				const mended = await check(ws);
				expect(mended.files.filter(({ diagnostics }) => diagnostics.length > 0)).toMatchObject([
					{ path: "src/part-7/use.ts" },
				]);
			},
		),
	180_000,
);
