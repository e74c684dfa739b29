import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { changesText } from "../render/answers/changes.ts";
import { ChangeScopeInput, changeKinds, Skipped } from "./common/change-inputs.ts";
import { Incomplete } from "./common/inputs.ts";

const defaultLimit = 200;

const Output = t.object({
	base: t.text("The revision that was compared with"),
	files: t.objects({
		path: t.text(),
		state: t.oneOf(["changed", "added", "removed"], "What became of the file"),
		symbols: t.objects({
			symbol: t.text("Its dotted path"),
			kind: t.text(),
			line: t.integer("Of a removed symbol the line in the old text"),
			change: t.oneOf(changeKinds, "What differs"),
			exported: t.optional.flag("Other files can name it"),
			from: t.optional.text("The file that it was moved from"),
		}),
		unread: t.optional.text("Why its symbols are not known"),
	}),
	...Skipped,
	omitted: t.integer("Symbols that were left out"),
	...Incomplete,
});

export type DetectedChanges = ValueOf<typeof Output>;

export const detectChanges = defineOperation({
	name: "detect_changes",
	title: "Changed symbols",
	description:
		"Which symbols really changed since a git revision, and how: body, signature, added, removed, moved. Compares both texts in the language server, so that a shifted line or a comment is no change.",
	effect: "read",
	requests: ["textDocument/documentSymbol"],
	input: t.object({
		paths: t.optional.texts("Only these files and directories"),
		...ChangeScopeInput,
		limit: t.optional.positive(`At most this many symbols (default ${defaultLimit})`),
	}),
	output: Output,
	positional: ["paths"],
	example: {
		input: { base: "main" },
		output: {
			base: "main",
			files: [
				{
					path: "src/greet.ts",
					state: "changed",
					symbols: [{ symbol: "greet", kind: "function", line: 1, change: "signature", exported: true }],
				},
			],
			skipped: [],
			omitted: 0,
		},
	},
	async run({ paths = [], limit = defaultLimit, base, until, staged }, on): Promise<DetectedChanges> {
		const found = await on.changes.detect({ base, until, staged }, paths);
		const moved = new Map(found.symbols.map((symbol) => [symbol.declared, symbol]));
		let left = limit;
		let omitted = 0;
		const files = found.files.map(({ path, state, symbols, unread }) => {
			const own = symbols.flatMap(({ declared }) => moved.get(declared) ?? []);
			const listed = own.slice(0, left);
			left -= listed.length;
			omitted += own.length - listed.length;
			return {
				path,
				state,
				symbols: listed.map(({ symbol, kind, line, change, exported, from }) => ({
					symbol,
					kind,
					line,
					change,
					...(exported === undefined ? {} : { exported }),
					...(from === undefined ? {} : { from }),
				})),
				...(unread === undefined ? {} : { unread }),
			};
		});
		const note = found.incomplete === undefined ? {} : { incomplete: found.incomplete };
		return { base: base ?? "HEAD", files, skipped: [...found.skipped], omitted, ...note };
	},
	render: (output) => changesText(output),
	next({ omitted }, given) {
		if (omitted === 0) return undefined;
		return {
			operation: "detect_changes",
			input: { ...given, limit: (given.limit ?? defaultLimit) + omitted },
			why: "All of them",
		};
	},
});
