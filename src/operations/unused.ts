import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { unusedText } from "../render/answers/unused.ts";
import { Incomplete } from "./common/inputs.ts";

const defaultLimit = 100;
const certainties = ["certain", "probable", "exported"] as const;

const Output = t.object({
	unused: t.objects("The certain ones first", {
		symbol: t.text("Its dotted path"),
		kind: t.text(),
		file: t.text(),
		line: t.integer(),
		certainty: t.oneOf(
			certainties,
			"certain: nothing refers to it or names it; exported: code outside of the workspace may use it",
		),
		why: t.text(),
	}),
	files: t.integer("Files whose symbols were asked about"),
	symbols: t.integer("Symbols that were asked about"),
	omitted: t.integer("Unused symbols that were left out"),
	unread: t.objects("Files whose symbols are not known", { path: t.text(), reason: t.text() }),
	...Incomplete,
});

export type UnusedReport = ValueOf<typeof Output>;

export const unused = defineOperation({
	name: "unused",
	title: "Dead code",
	description:
		"Which symbols of a file, a directory or the workspace nothing refers to, by the language server's references: certain ones, which delete_symbol takes; probable ones, whose name stands elsewhere or that only tests use; and exported ones.",
	effect: "read",
	requests: ["textDocument/references"],
	input: t.object({
		path: t.optional.text("A file or a directory (default: the workspace)"),
		certainty: t.optional.oneOf(certainties, "Only these"),
		limit: t.optional.positive(`At most this many symbols (default ${defaultLimit})`),
	}),
	output: Output,
	positional: ["path"],
	example: {
		input: { path: "src/greet.ts" },
		output: {
			unused: [
				{
					symbol: "shout",
					kind: "function",
					file: "src/greet.ts",
					line: 7,
					certainty: "certain",
					why: "nothing refers to it or names it",
				},
			],
			files: 1,
			symbols: 4,
			omitted: 0,
			unread: [],
		},
	},
	async run({ path, certainty, limit = defaultLimit }, on): Promise<UnusedReport> {
		const { files } = await on.select({ files: [path ?? (await on.settings()).workspace] });
		const found = await on.changes.unused(files);
		const wanted = found.symbols
			.filter((each) => certainty === undefined || each.certainty === certainty)
			.sort((a, b) => certainties.indexOf(a.certainty) - certainties.indexOf(b.certainty));
		return {
			unused: wanted.slice(0, limit),
			files: files.length,
			symbols: found.asked,
			omitted: Math.max(wanted.length - limit, 0),
			unread: [...found.unread],
			...(found.incomplete === undefined ? {} : { incomplete: found.incomplete }),
		};
	},
	render: (output) => unusedText(output),
	next({ unused: found }) {
		const first = found.find(({ certainty }) => certainty === "certain");
		if (!first) return undefined;
		return {
			operation: "delete_symbol",
			input: { file: first.file, symbol: first.symbol },
			why: "To delete the first",
		};
	},
});
