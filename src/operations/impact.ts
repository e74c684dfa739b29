import type { ChangeScope } from "../changes/git-changes.ts";
import type { Impact } from "../changes/impact.ts";
import type { User } from "../changes/users.ts";
import { LspError } from "../contract/errors.ts";
import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import { impactText } from "../render/answers/impact.ts";
import { ChangeScopeInput, changeKinds, defaultDepth, Skipped } from "./common/change-inputs.ts";
import { newTextInput, newTextOf } from "./common/editing/new-text-input.ts";
import { Incomplete } from "./common/inputs.ts";
import * as agentLsp from "./compat/agent-lsp-impact.ts";

const filters = ["untested", "exported", "unused"] as const;

const Using = t.object({
	file: t.text(),
	line: t.integer("Of its first use"),
	symbol: t.text("What contains the use; empty outside of all"),
	test: t.flag("Only tests run it"),
	import: t.optional.flag("No caller: it only imports it, or exports it to others"),
	uses: t.integer(),
	text: t.optional.text(),
});

const Impacted = t.object({
	symbol: t.text("Its dotted path"),
	kind: t.text(),
	file: t.text(),
	line: t.integer("Of a removed symbol the line in the old text"),
	change: t.optional.oneOf(changeKinds, "What differs; absent for a symbol that does not differ"),
	exported: t.optional.flag("Other files can name it"),
	from: t.optional.text("The file that it was moved from"),
	callers: t.list(Using, "What refers to it, tests last"),
	implementers: t.optional.list(Using, "What implements or overrides it; absent where the server does not say"),
	tests: t.objects("Tests that reach it within the depth", {
		file: t.text(),
		line: t.integer(),
		test: t.optional.text(),
	}),
	reaches: t.objects("Further files that may see the change", { file: t.text(), how: t.text() }),
	unfollowed: t.integer("Callers whose own callers were not asked for"),
	risk: t.oneOf(["low", "medium", "high"], "How much a change of it can break"),
	why: t.text(),
});

const Output = t.object({
	changed: t.list(Impacted, "The riskiest first"),
	depth: t.integer(),
	...Skipped,
	unread: t.objects("Files whose symbols are not known", { path: t.text(), reason: t.text() }),
	omitted: t.object({
		symbols: t.integer("Symbols that were not asked about"),
		callers: t.integer("Callers whose own callers were not asked for"),
	}),
	...Incomplete,
});

export type ImpactReport = ValueOf<typeof Output>;

export const impact = defineOperation({
	name: "impact",
	title: "Who is affected by a change",
	description:
		"Who is affected by a change, made or planned: for each symbol its callers, what implements it, the tests that reach it, further files, and a risk with its reason. Of a symbol, of files (what differs from HEAD in them, else all they declare), of what differs in git, or of a patch that is not written.",
	effect: "read",
	aliases: [agentLsp.impact, agentLsp.detectChanges],
	requests: ["textDocument/references"],
	input: t.object({
		files: t.optional.texts("Files and directories, or one file and symbols of it; without any, all that differs"),
		symbols: t.optional.texts("Names, dotted paths or LINE:NAME in the first file"),
		changed: t.optional.flag("Only what differs from HEAD"),
		...ChangeScopeInput,
		depth: t.optional.positive(`Steps to follow from caller to caller (default ${defaultDepth})`, { maximum: 10 }),
		patch: newTextInput.patch,
		edits: newTextInput.edits,
		filter: t.optional.oneOf(filters, "Only symbols that no test reaches, that other files can name, or nothing uses"),
	}),
	output: Output,
	positional: ["files"],
	example: {
		input: { files: ["src/greet.ts"], symbols: ["greet"] },
		output: {
			changed: [
				{
					symbol: "greet",
					kind: "function",
					file: "src/greet.ts",
					line: 1,
					exported: true,
					callers: [
						{
							file: "src/app.ts",
							line: 4,
							symbol: "main",
							test: false,
							uses: 1,
							text: 'console.log(greet("world"));',
						},
						{ file: "test/greet.test.ts", line: 5, symbol: "greets", test: true, uses: 2 },
					],
					implementers: [],
					tests: [{ file: "test/greet.test.ts", line: 4, test: "greets" }],
					reaches: [{ file: "src/cli.ts", how: "through main" }],
					unfollowed: 0,
					risk: "medium",
					why: "1 caller in 1 file, 1 test reaches it",
				},
			],
			depth: 5,
			skipped: [],
			unread: [],
			omitted: { symbols: 0, callers: 0 },
		},
	},
	async run({ patch, edits, depth = defaultDepth, filter, ...given }, on) {
		const isOfTexts = patch !== undefined || edits !== undefined;
		if (isOfTexts && Object.values(given).some((value) => value !== undefined))
			throw new LspError("LSP_INVALID_INPUT", "Give `patch` or `edits` without files, symbols and revisions.");
		const found = isOfTexts
			? await on.changes.impactOfTexts(
					newTextOf({ ...(patch === undefined ? {} : { patch }), ...(edits ? { edits } : {}) }),
					{ depth },
				)
			: await ofFiles(given, depth, on);
		const reported = found.symbols.map(
			({ callers, implementers, files: reaches, ...each }): ImpactReport["changed"][number] => ({
				...each,
				callers: callers.map(using),
				...(implementers ? { implementers: implementers.map(using) } : {}),
				reaches: reaches.map(({ path, how }) => ({ file: path, how })),
			}),
		);
		const note = found.incomplete === undefined ? {} : { incomplete: found.incomplete };
		return {
			changed: reported.filter((each) => filter === undefined || passes(each, filter)),
			depth,
			skipped: [...found.skipped],
			unread: [...found.unread],
			omitted: { symbols: found.omitted, callers: reported.reduce((sum, { unfollowed }) => sum + unfollowed, 0) },
			...note,
		};
	},
	render: (output) => impactText(output),
});

interface Given extends ChangeScope {
	readonly files?: readonly string[];
	readonly symbols?: readonly string[];
	readonly changed?: boolean;
}

function ofFiles(
	{ files = [], symbols = [], changed, base, until, staged }: Given,
	depth: number,
	on: OperationContext,
): Promise<Impact> {
	const isScoped = changed || base !== undefined || until !== undefined || staged || files.length === 0;
	return on.changes.impact({ files, symbols, scope: isScoped ? { base, until, staged } : undefined, depth });
}

function using({ path, line, symbol, testCase, isTest, isImport, uses, text }: User) {
	const name = testCase ?? symbol ?? "";
	return {
		...{ file: path, line, symbol: name, test: isTest },
		...(isImport ? { import: true } : {}),
		...{ uses, ...(text === undefined ? {} : { text }) },
	};
}

function passes({ tests, exported, callers }: ImpactReport["changed"][number], filter: (typeof filters)[number]) {
	if (filter === "untested") return tests.length === 0;
	return filter === "exported" ? exported === true : callers.length === 0;
}
