import { Type } from "@sinclair/typebox";
import { defineOperation } from "../contract/operation.ts";
import { oneOf, type ValueOf } from "../contract/schema.ts";
import { unusedText } from "../render/answers/unused.ts";
import { Incomplete } from "./common/inputs.ts";

const defaultLimit = 100;
const certainties = ["certain", "probable", "exported"] as const;

const Output = Type.Object({
	unused: Type.Array(
		Type.Object({
			symbol: Type.String({ description: "Its dotted path" }),
			kind: Type.String(),
			file: Type.String(),
			line: Type.Integer(),
			certainty: oneOf(
				certainties,
				"certain: nothing refers to it or names it; exported: code outside of the workspace may use it",
			),
			why: Type.String(),
		}),
		{ description: "The certain ones first" },
	),
	files: Type.Integer({ description: "Files whose symbols were asked about" }),
	symbols: Type.Integer({ description: "Symbols that were asked about" }),
	omitted: Type.Integer({ description: "Unused symbols that were left out" }),
	unread: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() }), {
		description: "Files whose symbols are not known",
	}),
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
	input: Type.Object({
		path: Type.Optional(Type.String({ description: "A file or a directory (default: the workspace)" })),
		certainty: Type.Optional(oneOf(certainties, "Only these")),
		limit: Type.Optional(
			Type.Integer({ minimum: 1, description: `At most this many symbols (default ${defaultLimit})` }),
		),
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
