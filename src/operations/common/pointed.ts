import { type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { asLspError, describeError, type ErrorValue, LspError } from "../../contract/errors.ts";
import type { Alias, AnyOperation, DeepReadonly, NextStep } from "../../contract/operation.ts";
import type { OperationContext } from "../../daemon/operation-context.ts";
import type { FileQuery } from "../../query/file-query.ts";
import type { Pointer } from "../../query/find-position.ts";
import type { AskOptions } from "../../query/run.ts";
import { incompleteLine } from "../../render/answers/incomplete.ts";
import { At, Incomplete, Nothing } from "./inputs.ts";
import { parsePointer, pointerOf } from "./parse-pointer.ts";

/** What went wrong with one of several positions; the others are answered. */
interface Failed {
	readonly error: ErrorValue;
}

/** The answer to one of several positions, with the words by which it was asked for. */
type Entry<Value> = { readonly asked: string } & (Value | Failed);

interface Several<Value> {
	readonly several: readonly Entry<Value>[];
}

const SeveralAnswers = {
	several: Type.Optional(
		Type.Array(Type.Unsafe<object>({ type: "object" }), {
			description: "With `at`: for each position `asked`, and an answer of this form or an `error`",
		}),
	),
};

const Place = Type.Object(At);

type Input<Extra extends TProperties> = Static<typeof Place> & Static<TObject<Extra>>;

/** A question about a position in a file. */
interface Pointed<Name extends string, Extra extends TProperties, Answer extends TProperties> {
	readonly name: Name;
	readonly title: string;
	readonly description: string;
	readonly core?: boolean;
	/** The requests that it sends; a server that answers none of them is not asked. */
	readonly asks: readonly string[];
	/** What it takes beside the position. */
	readonly input?: Extra;
	readonly output: Answer;
	readonly options?: AskOptions<DeepReadonly<Static<TObject<Answer>>>>;
	readonly aliases?: readonly Alias<Input<Extra>, DeepReadonly<Static<TObject<Answer>>>>[];
	readonly example: {
		readonly input: Input<Extra>;
		readonly output: DeepReadonly<Static<TObject<Answer>>>;
	};
	answer(
		asked: FileQuery,
		pointer: Pointer,
		input: Input<Extra>,
		on: OperationContext,
	): Promise<DeepReadonly<Static<TObject<Answer>>>>;
	render(answer: DeepReadonly<Static<TObject<Answer>>>, input: Input<Extra>): string;
	next?(answer: DeepReadonly<Static<TObject<Answer>>>, input: Input<Extra>): NextStep | undefined;
}

/**
 * Declares a question about a position, or about several in one call (`at`): then the answer is a list, in which one
 * that fails takes nothing from the others.
 */
export function definePointed<
	const Name extends string,
	Answer extends TProperties,
	Extra extends TProperties = Record<never, TSchema>,
>(question: Pointed<Name, Extra, Answer>): AnyOperation {
	type Value = DeepReadonly<Static<TObject<Answer>>>;
	type Given = Input<Extra>;
	const { input, output, options = {} } = question;
	const one = (file: string, pointer: Pointer, given: Given, on: OperationContext) =>
		on.ask(
			file,
			async (asked) => {
				const answer = await withPlace(
					asked,
					pointer,
					question.answer(asked, pointer, given, on) as Promise<Value & object>,
				);
				if (!options.isEmpty?.(answer)) return answer;
				// What was asked about may be another place than the one that the pointer leads to.
				const nothing = await asked.describe(pointer).catch(() => undefined);
				return nothing === undefined ? answer : { ...answer, nothing };
			},
			options as AskOptions<Value & object>,
		);
	const operation = {
		name: question.name,
		title: question.title,
		description: question.description,
		effect: "read",
		...(question.core ? { core: true } : {}),
		asks: question.asks,
		input: Type.Object({ ...At, ...input }),
		// A union would be `anyOf`, which Google's API refuses: the schema says all that there may be, and requires nothing.
		output: Type.Object({
			...Type.Partial(Type.Object(output)).properties,
			...Nothing,
			...Incomplete,
			...SeveralAnswers,
		}),
		positional: ["file", "symbol", "at"],
		...(question.aliases ? { aliases: question.aliases } : {}),
		example: question.example,
		async run(given: Given, on: OperationContext): Promise<Value | Several<Value>> {
			const wanted = positionsOf(given);
			const [first] = wanted;
			if (wanted.length === 1 && first) return one(first.file, first.pointer, given, on);
			const answer = async ({ asked, file, pointer }: Wanted) => {
				try {
					return { asked, ...(await one(file, pointer, given, on)) };
				} catch (thrown) {
					on.signal.throwIfAborted();
					return { asked, error: asLspError(thrown).toJSON() };
				}
			};
			return { several: await Promise.all(wanted.map(answer)) };
		},
		render(told: Value | Several<Value>, given: Given): string {
			if (!isSeveral(told)) return renderOne(told, question, given);
			return told.several.map((entry) => `${entry.asked}:\n${renderEntry(entry, question, given)}`).join("\n\n");
		},
		// One that is answered makes the call worth it.
		exitCode: (told: Value | Several<Value>) => (isSeveral(told) && told.several.every(isFailed) ? 2 : 0),
		next: (told: Value | Several<Value>, given: Given) => (isSeveral(told) ? undefined : question.next?.(told, given)),
	};
	return operation as unknown as AnyOperation;
}

/** A server that refuses a place says little of it: what stands there is added. */
async function withPlace<Value>(asked: FileQuery, pointer: Pointer, answer: Promise<Value>): Promise<Value> {
	try {
		return await answer;
	} catch (thrown) {
		if (!(thrown instanceof LspError) || thrown.code !== "LSP_SERVER_ERROR") throw thrown;
		const standing = await asked.describe(pointer).catch(() => undefined);
		if (standing === undefined) throw thrown;
		const message = `${thrown.message.replace(/\.?$/, ".")} ${standing}`;
		throw new LspError(thrown.code, message, thrown.details, { cause: thrown.cause });
	}
}

interface Rendering<Value, Given> {
	render(value: Value, given: Given): string;
}

function renderOne<Value, Given>(told: Value, { render }: Rendering<Value, Given>, given: Given): string {
	const { nothing } = told as { readonly nothing?: string };
	return nothing === undefined ? render(told, given) : `${render(told, given)} ${nothing}`;
}

function renderEntry<Value, Given>(entry: Entry<Value>, question: Rendering<Value, Given>, given: Given): string {
	if (!isFailed(entry)) return [renderOne<Value, Given>(entry, question, given), ...incompleteLine(entry)].join("\n");
	const { code, message, details } = entry.error;
	return describeError(new LspError(code, message, details));
}

function isFailed<Value>(entry: Value | Failed): entry is Failed {
	return typeof entry === "object" && entry !== null && "error" in entry;
}

function isSeveral<Value>(told: Value | Several<Value>): told is Several<Value> {
	return typeof told === "object" && told !== null && "several" in told;
}

interface Wanted {
	/** The words for it. */
	readonly asked: string;
	readonly file: string;
	readonly pointer: Pointer;
}

/** The positions that an input names. */
function positionsOf({
	file,
	symbol,
	line,
	column,
	pattern,
	end_line: endLine,
	at = [],
}: Static<typeof Place>): Wanted[] {
	const own: Pointer = {
		...(symbol === undefined ? {} : line === undefined ? pointerOf(symbol) : { symbol }),
		...(line === undefined ? {} : { line }),
		...(column === undefined ? {} : { column }),
		...(pattern === undefined ? {} : { pattern }),
		...(endLine === undefined ? {} : { endLine }),
	};
	const named = Object.keys(own).length > 0 || at.length === 0;
	const first = { asked: pattern ?? symbol ?? `${line}:${column ?? ""}`, file, pointer: own };
	const more = at.map((word) => ({ asked: word, file, ...parsePointer(word) }));
	return named ? [first, ...more] : more;
}
