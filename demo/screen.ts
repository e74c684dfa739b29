import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { edit } from "../test/faces/pi/calls.ts";
import { withPiScreen } from "../test/faces/pi/pi-screen.ts";
import { REPOSITORY } from "../test/support/repository.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../test/support/workspace.ts";
import { frameToSvg } from "./frame-to-svg.ts";

/** Records the picture of the README: `node scripts/run-ts.mjs demo/screen.ts`. What it shows is a real frame of pi. */

const PROMPT = "Let amounts be formatted in any currency.";
const columns = 96;
const target = join(REPOSITORY, "docs/screen.svg");

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
			screen.type(PROMPT);
			screen.press("Enter");
			await screen.shows(/needs its currency next/);
			screen.type("/lsp status");
			await screen.shows(/→ status/);
			screen.press("Enter");
			screen.press("Enter");
			await screen.shows(/LSP +daemon pid/);
			// The place of the workspace is nobody's business, and above the prompt stands only pi's greeting.
			const lines = screen.text({ colours: true }).replaceAll(ws.root, "~/shop").split("\n");
			const first = lines.findIndex((line) => line.includes(PROMPT));
			const frame = lines.slice(Math.max(first - 1, 0)).join("\n");
			mkdirSync(dirname(target), { recursive: true });
			writeFileSync(
				target,
				frameToSvg(frame, columns, "pi with pi-lsp: references, an edit, what it broke, and /lsp status"),
			);
		},
		{ columns, rows: 46 },
	),
);
process.stdout.write(`${target}\n`);
