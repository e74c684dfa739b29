import { type AliasContext, defineAlias } from "../../contract/operation.ts";
import { t } from "../../contract/schema.ts";
import { count } from "../../render/count.ts";
import type { CrossRepoReport } from "../cross-repo.ts";
import type { ImpactReport } from "../impact.ts";
import { language, profile } from "./agent-lsp.ts";

type Impacted = ImpactReport["changed"][number];

const [direct, transitive] = [1, 5];

export const impact = defineAlias({
	profile,
	name: "get_change_impact",
	alsoNamed: ["blast_radius"],
	description: "The symbols that differ in files, or all of a file that does not differ, with their callers and tests.",
	input: t.object({
		changed_files: t.texts("Paths of the changed files", { minItems: 1 }),
		include_transitive: t.optional.flag("Follow callers of callers", { default: false }),
		scope: t.optional.oneOf(["exported", "all"], "Which symbols", { default: "exported" }),
		filter: t.optional.oneOf(["untested"], "Only symbols that no test reaches"),
	}),
	toInput: ({ changed_files: files, include_transitive: isFar = false, filter }) => ({
		files,
		depth: isFar ? transitive : direct,
		...(filter === undefined ? {} : { filter }),
	}),
	toOutput(report: ImpactReport, { scope = "exported" }, { absolute }: AliasContext) {
		const symbols = report.changed.filter(({ exported }) => scope === "all" || exported !== false);
		const callersOf = ({ callers }: Impacted, isTest: boolean) =>
			callers
				.filter((each) => each.test === isTest && !each.import)
				.map(({ file, line, symbol }) => ({ file: absolute(file), line, name: symbol }));
		const tests = symbols.flatMap((each) => each.tests);
		const named = ({ symbol, file, line }: Impacted) => ({ name: symbol, file: absolute(file), line });
		const code = distinct(symbols.flatMap((each) => callersOf(each, false)));
		const testFiles = [...new Set(tests.map(({ file }) => absolute(file)))];
		const warnings = [
			...report.skipped.map(({ path, reason }) => `${path} was not compared: ${reason}`),
			...report.unread.map(({ path, reason }) => `${path}: ${reason}`),
			...(report.incomplete === undefined ? [] : [report.incomplete]),
			...(report.omitted.symbols > 0 ? [`${report.omitted.symbols} symbols were not asked about.`] : []),
		];
		return {
			changed_symbols: symbols.map(named),
			affected_symbols: symbols.map((each) => ({
				...named(each),
				...(each.change === undefined ? {} : { change: each.change }),
				risk: each.risk,
				test_callers: callersOf(each, true),
				non_test_callers: callersOf(each, false),
			})),
			test_files: testFiles,
			test_functions: distinct(
				tests.flatMap(({ file, line, test }) => (test === undefined ? [] : { file: absolute(file), line, name: test })),
			),
			non_test_callers: code,
			summary: `${symbols.length} changed symbols, ${code.length} callers outside of tests, ${testFiles.length} test files`,
			warnings,
			indexed: report.incomplete === undefined,
		};
	},
});

/** `A..B`, or `A` for everything since. */
function toRange(range = "HEAD~1..HEAD") {
	const [base = "", until] = range.split(/\.\.\.?/);
	return { base, until: until === undefined || until === "" ? "HEAD" : until };
}

export const detectChanges = defineAlias({
	profile,
	name: "detect_changes",
	description: "The symbols that really differ in git, each with its risk, and who calls them outside of tests.",
	input: t.object({
		workspace_root: t.optional.text("Only what differs below this directory"),
		scope: t.optional.oneOf(["unstaged", "staged", "committed"], "What is compared with HEAD, or commits", {
			default: "unstaged",
		}),
		range: t.optional.text("With committed: A..B (default HEAD~1..HEAD)"),
	}),
	toInput: ({ workspace_root: root, scope, range }) => ({
		...(root === undefined ? {} : { files: [root] }),
		...(scope === "committed" ? toRange(range) : scope === "staged" ? { staged: true } : { changed: true }),
		depth: direct,
	}),
	toOutput({ changed }: ImpactReport, { scope = "unstaged" }, { absolute }: AliasContext) {
		const code = changed.flatMap(({ callers }) => callers.filter((each) => !each.test && !each.import));
		return {
			scope,
			changed_files: [...new Set(changed.map(({ file }) => absolute(file)))],
			changed_symbols: changed.map(({ symbol, file, line, change, risk }) => ({
				name: symbol,
				file: absolute(file),
				line,
				change,
				risk,
			})),
			non_test_callers: distinct(code.map(({ file, line, symbol }) => ({ file: absolute(file), line, name: symbol }))),
		};
	},
});

function distinct<Item extends { readonly file: string; readonly line: number }>(items: readonly Item[]): Item[] {
	return [...new Map(items.map((item) => [`${item.file}:${item.line}`, item])).values()];
}

const allPlaces = 10_000;

export const crossRepo = defineAlias({
	profile,
	name: "get_cross_repo_references",
	description: "References to a library's symbol in the library and in other repositories, each by its own servers.",
	input: t.object({
		symbol_file: t.text("Absolute path of the file that declares the symbol"),
		line: t.positive("Line (1-based)"),
		column: t.positive("Column (1-based)"),
		consumer_roots: t.texts("Absolute paths of the repositories", { minItems: 1 }),
		...language,
	}),
	toInput: ({ symbol_file: file, line, column, consumer_roots: roots }) => ({
		file,
		line,
		column,
		consumer_roots: roots,
		limit: allPlaces,
	}),
	toOutput({ symbol, library, consumers, incomplete }: CrossRepoReport, _, { absolute }: AliasContext) {
		const toReferences = (places: CrossRepoReport["library"]["places"]) =>
			places.map(({ path, line, column }) => ({ file: absolute(path), line, column }));
		const ofConsumers = consumers.map(({ root, places }) => [root, toReferences(places)] as const);
		const implementers = consumers.flatMap(({ root: repo, implementers: found }) =>
			toReferences(found?.places ?? []).map((each) => ({ ...each, repo })),
		);
		const own = toReferences(library.places);
		const found = ofConsumers.reduce((sum, [, references]) => sum + references.length, 0);
		return {
			symbol,
			library_references: own,
			consumer_references: Object.fromEntries(ofConsumers),
			references: ofConsumers.flatMap(([repo, references]) => references.map((each) => ({ ...each, repo }))),
			implementers,
			summary: `${count(own.length, "reference", "references")} in the library, ${found} in ${count(consumers.length, "consumer", "consumers")}`,
			warnings: [
				...(incomplete === undefined ? [] : [incomplete]),
				...consumers.flatMap((each) => warningsAbout(each, absolute).map((text) => `${each.root}: ${text}`)),
			],
		};
	},
});

function warningsAbout(
	{ error, note, incomplete, others = [], through }: CrossRepoReport["consumers"][number],
	absolute: AliasContext["absolute"],
) {
	const copies = others.map(({ package: name, version, path, total }) => {
		const which = [name, version].filter((part) => part !== undefined).join(" ");
		return `it uses ${which} in ${absolute(path)}, not this checkout, with ${count(total, "reference", "references")}`;
	});
	const built =
		through === undefined ? [] : [`its references mean what was built of the library, ${absolute(through)}`];
	return [error?.message, ...copies, ...built, note, incomplete].flatMap((text) => text ?? []);
}
