import type { Static } from "@sinclair/typebox";
import { type Alias, defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { ChangedSymbol, Code, symbolAnswer, symbolInput, symbolText } from "./common/symbol-change.ts";
import { exitCodeOfWritten } from "./common/written.ts";
import * as agentLsp from "./compat/agent-lsp-changes.ts";

const requests = ["textDocument/documentSymbol"];
const { file, symbol, ...more } = symbolInput;
const given = t.object({ file, symbol, code: Code, ...more });
const fresh = {
	files: [{ path: "src/greet.py", role: "edited", state: "fresh", diagnostics: [] }],
	servers: [],
	omitted: { diagnostics: 0, files: 0 },
} as const;
const about = { symbol: "greet", kind: "function", written: ["src/greet.py"], undo: "u7", check: fresh };
const head = "--- a/src/greet.py\n+++ b/src/greet.py\n";

interface Differences<Name extends string> {
	readonly name: Name;
	readonly title: string;
	readonly description: string;
	readonly kind: "replace" | "before" | "after";
	readonly done: string;
	readonly alias: Alias<Static<typeof given>, ValueOf<typeof ChangedSymbol>>;
	readonly example: { readonly code: string; readonly hunk: string };
}

function defineWithCode<const Name extends string>({ kind, done, example, alias, ...named }: Differences<Name>) {
	return defineOperation({
		...named,
		effect: "write",
		aliases: [alias],
		requests,
		input: given,
		output: ChangedSymbol,
		positional: ["file", "symbol", "code"],
		example: {
			input: { file: "src/greet.py", symbol: "greet", code: example.code },
			output: { ...about, diff: `${head}${example.hunk}` },
		},
		async run({ file, symbol, code, dry_run: dryRun }, on) {
			return symbolAnswer(await on.edits.symbol({ file, symbol, change: { kind, code }, dryRun }));
		},
		render: (output) => symbolText(done, output),
		exitCode: exitCodeOfWritten,
	});
}

export const replaceSymbol = defineWithCode({
	name: "replace_symbol",
	title: "Replace a declaration",
	description:
		"Replaces the whole declaration of a symbol. Comments and decorators above it stay unless the code brings its own; what would not parse is refused. Shows the diff, new errors, and what undoes it.",
	kind: "replace",
	done: "replaced:",
	alias: agentLsp.replaceSymbolBody,
	example: { code: "greet=print", hunk: "@@ -1,1 +1,1 @@\n-def greet(): pass\n+greet=print\n" },
});

export const insertBefore = defineWithCode({
	name: "insert_before",
	title: "Insert code before a declaration",
	description:
		"Inserts code above a symbol, above its comments and decorators, with the indentation and the empty lines of its neighbours. Shows the diff, new errors, and what undoes it.",
	kind: "before",
	done: "inserted before",
	alias: agentLsp.insertBeforeSymbol,
	example: { code: "hello=greet", hunk: "@@ -1,1 +1,2 @@\n+hello=greet\n def greet(): pass\n" },
});

export const insertAfter = defineWithCode({
	name: "insert_after",
	title: "Insert code after a declaration",
	description:
		"Inserts code below a symbol, with the indentation and the empty lines of its neighbours. Shows the diff, new errors, and what undoes it.",
	kind: "after",
	done: "inserted after",
	alias: agentLsp.insertAfterSymbol,
	example: { code: "hello=greet", hunk: "@@ -1,1 +1,2 @@\n def greet(): pass\n+hello=greet\n" },
});

export const deleteSymbol = defineOperation({
	name: "delete_symbol",
	title: "Delete an unused declaration",
	description:
		"Deletes a symbol with its comments and decorators. It is refused, and the places are named, while anything refers to it. Shows the diff, new errors, and what undoes it.",
	effect: "write",
	aliases: [agentLsp.safeDeleteSymbol],
	requests: [...requests, "textDocument/references"],
	input: t.object(symbolInput),
	output: ChangedSymbol,
	positional: ["file", "symbol"],
	example: {
		input: { file: "src/greet.py", symbol: "greet" },
		output: { ...about, diff: `${head}@@ -1,1 +0,0 @@\n-def greet(): pass\n` },
	},
	async run({ file, symbol, dry_run: dryRun }, on) {
		return symbolAnswer(await on.edits.symbol({ file, symbol, change: { kind: "delete" }, dryRun }));
	},
	render: (output) => symbolText("deleted:", output),
	exitCode: exitCodeOfWritten,
});
