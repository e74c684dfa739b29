import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { edit } from "../test/faces/pi/calls.ts";
import { type PiScreen, withPiScreen } from "../test/faces/pi/pi-screen.ts";
import { REPOSITORY } from "../test/support/repository.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../test/support/workspace.ts";
import { frameToSvg } from "./frame-to-svg.ts";

/** Records the pictures of the documents, which are real frames of pi: `node scripts/run-ts.mjs demo/screen.ts`. */

const PROMPT = "Let amounts be formatted in any currency.";
const columns = 96;

const project = {
	...TYPESCRIPT_PROJECT,
	"src/money.ts": `export type Cents = number;\n\nexport function format(amount: Cents): string {\n\treturn (amount / 100).toFixed(2);\n}\n`,
	"src/receipt.ts": `import { format } from "./money.ts";\n\nexport const line = (sum: number) => \`Total \${format(sum)}\`;\n`,
};

const steps = [
	{
		text: "Who formats amounts?",
		calls: [{ name: "lsp_references", arguments: { file: "src/money.ts", symbol: "format" } }],
	},
	{
		text: "One caller. The currency becomes a parameter.",
		calls: [
			edit(
				"src/money.ts",
				["amount: Cents)", "amount: Cents, currency: string)"],
				[".toFixed(2);", ".toFixed(2).concat(currency);"],
			),
		],
	},
	{ text: "The return type still holds; the receipt needs its currency next." },
];

await withWorkspace(project, (ws) =>
	withPiScreen(
		ws,
		steps,
		async (screen) => {
			const record = recorder(ws, screen);
			screen.type(PROMPT);
			screen.press("Enter");
			await screen.shows(/needs its currency next/);
			screen.type("/lsp status");
			await screen.shows(/→ status/);
			screen.press("Enter");
			screen.press("Enter");
			await screen.shows(/LSP +daemon pid/);
			record("screen.svg", PROMPT, "pi with pi-lsp: references, an edit, what it broke, and /lsp status");
			screen.type("/lsp");
			screen.press("Escape");
			screen.press("Enter");
			await screen.shows(/This session: [\s\S]*Switch pi-lsp off/);
			// The title is above that line.
			record("panel.svg", "This session:", "pi with pi-lsp: the panel of /lsp");
		},
		{ columns, rows: 46 },
	),
);

/** Draws the screen from two lines above the last line with `text` on; the workspace's path is replaced. */
function recorder(ws: Workspace, screen: PiScreen) {
	return (file: string, text: string, title: string): void => {
		const lines = screen.text({ colours: true }).replaceAll(ws.root, "~/shop").split("\n");
		const first = lines.findLastIndex((line) => line.includes(text)) - 2;
		const target = join(REPOSITORY, "docs", file);
		writeFileSync(target, frameToSvg(lines.slice(Math.max(first, 0)).join("\n"), columns, title));
		process.stdout.write(`${target}\n`);
	};
}
