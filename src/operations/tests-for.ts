import { defineOperation } from "../contract/operation.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import { listTests } from "../render/answers/tests.ts";
import { defaultDepth } from "./common/change-inputs.ts";
import { File, Incomplete } from "./common/inputs.ts";
import * as agentLsp from "./compat/agent-lsp-symbols.ts";

const defaultLimit = 50;

const Output = t.object({
	tests: t.objects({
		path: t.text(),
		reason: t.text(),
		cases: t.optional.objects("With symbols or exact: its tests that reach one of the symbols", {
			name: t.text(),
			line: t.integer(),
		}),
	}),
	total: t.integer(),
	...Incomplete,
});

export type FileTests = ValueOf<typeof Output>;

export const testsFor = defineOperation({
	name: "tests_for",
	title: "Tests of a file",
	description:
		"The test files of a source file and why: named after it, importing it, or its own, found by names and imports without a server. With symbols the tests that reach these, and with exact those that reach any of the file, by references from caller to caller.",
	effect: "read",
	aliases: [agentLsp.testsFor],
	input: t.object({
		file: File,
		symbols: t.optional.texts("Only tests that reach these: names, dotted paths or LINE:NAME"),
		exact: t.optional.flag("Only tests that reach a symbol of the file, each by its name, by references"),
		limit: t.optional.positive(`At most this many files (default ${defaultLimit})`),
	}),
	output: Output,
	positional: ["file", "symbols"],
	example: {
		input: { file: "src/greet.ts" },
		output: { tests: [{ path: "test/greet.test.ts", reason: "named after it, imports it" }], total: 1 },
	},
	async run({ file, symbols = [], exact = false, limit = defaultLimit }, on) {
		if (symbols.length > 0 || exact) return reaching(file, symbols, limit, on);
		const found = await on.testsFor(file);
		return { tests: found.slice(0, limit), total: found.length };
	},
	render({ tests, total }, { symbols = [], exact = false }) {
		if (tests.length === 0 && (symbols.length > 0 || exact)) return `No test reaches it in ${defaultDepth} steps.`;
		return listTests(tests, total);
	},
	fallback: ({ total }, { file, symbols = [], exact = false }) =>
		total === 0 && symbols.length === 0 && !exact
			? { operation: "impact", input: { files: [file] }, why: "" }
			: undefined,
	next({ tests, total }, given) {
		if (tests.length >= total) return undefined;
		return { operation: "tests_for", input: { ...given, limit: total }, why: "All of them" };
	},
});

async function reaching(
	file: string,
	symbols: readonly string[],
	limit: number,
	on: OperationContext,
): Promise<FileTests> {
	const order = { files: [file], symbols, scope: undefined, whole: true, depth: defaultDepth };
	const impact = await on.changes.impact(order);
	const byFile = new Map<string, { readonly reached: Set<string>; readonly cases: Map<string, number> }>();
	for (const { symbol, tests } of impact.symbols)
		for (const { file: path, line, test } of tests) {
			const known = byFile.get(path) ?? { reached: new Set(), cases: new Map() };
			known.reached.add(symbol);
			if (test !== undefined) known.cases.set(test, line);
			byFile.set(path, known);
		}
	const found = [...byFile].map(([path, { reached, cases }]) => {
		const named = [...cases].map(([name, line]) => ({ name, line })).sort((a, b) => a.line - b.line);
		const reason = `reaches ${listed([...reached])}`;
		return { path, reason, ...(named.length > 0 ? { cases: named } : {}) };
	});
	const unfollowed = impact.symbols.reduce((sum, each) => sum + each.unfollowed, 0);
	const cut = unfollowed > 0 ? `${unfollowed} callers were not followed further` : undefined;
	const incomplete = impact.incomplete ?? cut;
	const note = incomplete === undefined ? {} : { incomplete };
	return { tests: found.slice(0, limit), total: found.length, ...note };
}

const maxNamed = 5;

function listed(symbols: readonly string[]): string {
	const rest = symbols.length - maxNamed;
	return [...symbols.slice(0, maxNamed), ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
}
