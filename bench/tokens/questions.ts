/** A question about a real project for pi-lsp, agent-lsp and a shell. */
export interface TokenQuestion {
	readonly operation: string;
	readonly input: Readonly<Record<string, unknown>>;
	/** Its file, symbol and line for pi-lsp; its file, line and column for agent-lsp. */
	readonly place?: Place;
	/** The tool of agent-lsp for the same question, and its other arguments; `file_path` is made absolute. */
	readonly tool: string;
	readonly more?: Readonly<Record<string, unknown>>;
	/** The commands of a search without a language server, run in the project's directory. */
	readonly recipe: readonly string[];
	/** Parts that a complete answer contains. */
	readonly must: readonly string[];
}

/** A word in the first line that contains `line`. */
export interface Place {
	readonly file: string;
	readonly line: string;
	readonly word: string;
}

const operators = "src/internal/operators";
const util = "src/internal/util";

function at(file: string, line: string, word: string): Place {
	return { file, line, word };
}

function used(operation: string, tool: string, place: Place, recipe: readonly string[], must: readonly string[]) {
	return { operation, tool, place, input: {}, recipe, must };
}

/** A search for a word in the sources. */
function grep(word: string): string {
	return `grep -rnw ${word} src`;
}

/**
 * Twenty questions about RxJS, chosen before any measurement. The recipes search for the word and print the file with the
 * answer; for the outline of a file they print it.
 */
export const tokenQuestions: readonly TokenQuestion[] = [
	used(
		"definition",
		"go_to_definition",
		at(`${operators}/map.ts`, "return operate(", "operate"),
		[grep("operate"), `cat ${util}/lift.ts`],
		["lift.ts", "17"],
	),
	used(
		"definition",
		"go_to_definition",
		at(`${operators}/switchMap.ts`, "createOperatorSubscriber(", "createOperatorSubscriber"),
		[grep("createOperatorSubscriber"), `cat ${operators}/OperatorSubscriber.ts`],
		["OperatorSubscriber.ts", "15"],
	),
	used(
		"definition",
		"go_to_definition",
		at(`${operators}/mergeInternals.ts`, "innerFrom(project(", "innerFrom"),
		[grep("innerFrom"), "cat src/internal/observable/innerFrom.ts"],
		["innerFrom.ts", "15"],
	),
	used(
		"hover",
		"inspect_symbol",
		at(`${operators}/map.ts`, "export function map<", "map"),
		[`cat ${operators}/map.ts`],
		["OperatorFunction<T, R>"],
	),
	used(
		"hover",
		"inspect_symbol",
		at(`${operators}/switchMap.ts`, "innerFrom(project(", "innerFrom"),
		[grep("innerFrom"), "cat src/internal/observable/innerFrom.ts"],
		["ObservedValueOf<"],
	),
	used(
		"hover",
		"inspect_symbol",
		at("src/internal/Subject.ts", "errorContext(() => {", "errorContext"),
		[grep("errorContext"), `cat ${util}/errorContext.ts`],
		["cb: () => void"],
	),
	used(
		"references",
		"find_references",
		at(`${util}/arrRemove.ts`, "export function arrRemove", "arrRemove"),
		[grep("arrRemove"), `cat ${operators}/bufferToggle.ts`],
		["Subscription.ts", "bufferToggle.ts"],
	),
	used(
		"references",
		"find_references",
		at(`${util}/executeSchedule.ts`, "export function executeSchedule(", "executeSchedule"),
		[grep("executeSchedule"), `cat ${operators}/observeOn.ts`],
		["observeOn.ts", "scheduleAsyncIterable.ts"],
	),
	used(
		"references",
		"find_references",
		at(`${util}/errorContext.ts`, "export function errorContext", "errorContext"),
		[grep("errorContext"), "cat src/internal/Subject.ts"],
		["Subject.ts", "Observable.ts"],
	),
	used(
		"references",
		"find_references",
		at("src/internal/AsyncSubject.ts", "export class AsyncSubject", "AsyncSubject"),
		[grep("AsyncSubject"), `cat ${operators}/publishLast.ts`],
		["publishLast.ts", "index.ts"],
	),
	outline("src/internal/Subject.ts", ["AnonymousSubject", "_trySubscribe"]),
	outline("src/internal/Observable.ts", ["Observable", "toPromise"]),
	outline("src/internal/scheduler/AsyncAction.ts", ["AsyncAction", "requestAsyncId"]),
	{
		operation: "workspace_symbols",
		input: { query: "BehaviorSubject" },
		tool: "find_symbol",
		more: { query: "BehaviorSubject" },
		recipe: [grep("BehaviorSubject"), "cat src/internal/BehaviorSubject.ts"],
		must: ["BehaviorSubject"],
	},
	used(
		"implementation",
		"go_to_implementation",
		at("src/internal/types.ts", "export interface SubscriptionLike", "SubscriptionLike"),
		[grep("SubscriptionLike"), "cat src/internal/Subscription.ts"],
		["Subscription.ts", "Subject.ts"],
	),
	{
		...used(
			"calls",
			"find_callers",
			at(`${operators}/mergeInternals.ts`, "export function mergeInternals", "mergeInternals"),
			[grep("mergeInternals"), `cat ${operators}/mergeMap.ts ${operators}/expand.ts ${operators}/mergeScan.ts`],
			["mergeMap", "expand", "mergeScan"],
		),
		input: { direction: "incoming" },
		more: { direction: "incoming" },
	},
	used(
		"source",
		"get_symbol_source",
		at("src/internal/Subject.ts", "asObservable():", "asObservable"),
		["grep -rn asObservable src", "cat src/internal/Subject.ts"],
		["observable.source = this"],
	),
	used(
		"type_definition",
		"go_to_type_definition",
		at(`${operators}/map.ts`, "subscriber.next(", "subscriber"),
		[grep("Subscriber"), "cat src/internal/Subscriber.ts"],
		["Subscriber.ts"],
	),
	used(
		"highlights",
		"get_document_highlights",
		at(`${operators}/map.ts`, "let index = 0", "index"),
		[`grep -nw index ${operators}/map.ts`, `cat ${operators}/map.ts`],
		["5"],
	),
	used(
		"explore",
		"explore_symbol",
		at(`${util}/errorContext.ts`, "export function errorContext", "errorContext"),
		[grep("errorContext"), `cat ${util}/errorContext.ts`, "cat src/internal/Subject.ts"],
		["isRoot", "Subject"],
	),
];

function outline(file: string, must: readonly string[]): TokenQuestion {
	const input = { file };
	return {
		operation: "symbols",
		input,
		tool: "list_symbols",
		more: { file_path: file },
		recipe: [`cat ${file}`],
		must,
	};
}
