import { edit, write } from "../test/faces/pi/calls.ts";
import { type ModelRequest, toolResult } from "../test/faces/pi/model-request.ts";
import type { ScriptedStep } from "../test/faces/pi/scripted-model.ts";

/** The user's prompt. */
export const PROMPT = "Give 10 % off to carts of 100.00 and more, and let an amount be formatted in any currency.";

const DISCOUNT = `import { type Item, total } from "./cart.ts";
import type { Cents } from "./money.ts";

const PER_CENT: number = "10";

/** What a cart costs: ten per cent less from 100.00 upward. */
export function discounted(items: readonly Item[]): Cents {
	const sum = total(items);
	return sum < 100_00 ? sum : Math.round((sum * (100 - PER_CENT)) / 100);
}
`;

/**
 * The model's turns. Each reads what pi-lsp appended to the last tool result, and throws if that is missing: a model
 * without these errors would not have repaired anything.
 */
export const STEPS: readonly ScriptedStep[] = [
	{
		text: "The discount first.",
		calls: [write("src/discount.ts", DISCOUNT)],
	},
	(request) => {
		const [line, message] = onlyError(request, "src/discount.ts", "ts2322");
		return {
			text: `Line ${line}: "${message}" A number it is.`,
			calls: [edit("src/discount.ts", [`"10"`, "10"])],
		};
	},
	(request) => {
		expectClean(request);
		return {
			text: "No errors. Now the currency.",
			calls: [
				edit(
					"src/money.ts",
					["amount: Cents): string", "amount: Cents, currency: string): string"],
					[`"EUR"`, "currency"],
				),
			],
		};
	},
	(request) => {
		expectBroken(request, "src/receipt.ts (1 error)");
		return {
			text: "That broke the receipt, which formats an amount without a currency.",
			calls: [edit("src/receipt.ts", ["total(items))", `total(items), "EUR")`])],
		};
	},
	(request) => {
		expectClean(request);
		return { text: "Done: the discount is in, amounts take a currency, and the receipt follows." };
	},
];

/** The line and message of the only error in a file. */
function onlyError(request: ModelRequest, file: string, code: string): [line: string, message: string] {
	const result = toolResult(request);
	const block = new RegExp(`<diagnostics file="${file}">\n(.*)\n</diagnostics>`).exec(result)?.[1] ?? "";
	const [, line, message] = new RegExp(`^ERROR \\[(\\d+):\\d+\\] (.*) \\(${code}\\)$`).exec(block) ?? [];
	if (line !== undefined && message !== undefined) return [line, message];
	throw new Error(`the diagnostics of ${file} (${code}) did not reach the model, which read:\n${result}`);
}

function expectBroken(request: ModelRequest, named: string): void {
	const result = toolResult(request);
	if (result.includes(named)) return;
	throw new Error(`${named} did not reach the model, which read:\n${result}`);
}

function expectClean(request: ModelRequest): void {
	const result = toolResult(request);
	if (/^Successfully [^\n]*$/.test(result)) return;
	throw new Error(`the model repaired the file and should have read pi's own words only; it read:\n${result}`);
}
