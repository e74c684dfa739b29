import { type Static, type TObject, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { asLspError, describeError, type ErrorValue, LspError } from "../../contract/errors.ts";
import type { Alias, AnyOperation, NextStep } from "../../contract/operation.ts";
import { t, type ValueOf } from "../../contract/schema.ts";
import type { OperationContext } from "../../daemon/operation-context.ts";
import type { FileQuery } from "../../query/file-query.ts";
import type { Pointer } from "../../query/find-position.ts";
import type { AskOptions } from "../../query/run.ts";
import { incompleteLine } from "../../render/incomplete.ts";
import { At, Incomplete, NothingThere } from "./inputs.ts";
import { givenPointer, parsePointer } from "./parse-pointer.ts";

interface Failed {
	readonly error: ErrorValue;
}

type Entry<Value> = { readonly asked: string } & (Value | Failed);

interface Batch<Value> {
	readonly several: readonly Entry<Value>[];
}

const BatchOutput = {
	several: t.optional.list(
		t.anyObject(),
		"With `at`: for each position `asked`, and an answer of this form or an `error`",
	),
};

const PositionInput = t.object(At);

type Input<Extra extends TProperties> = Static<typeof PositionInput> & Static<TObject<Extra>>;

interface PositionQuestion<Name extends string, Extra extends TProperties, Answer extends TProperties> {
	readonly name: Name;
	readonly title: string;
	readonly description: string;
	readonly core?: boolean;
	readonly requests: readonly string[];
	readonly input?: Extra;
	readonly output: Answer;
	readonly options?: AskOptions<ValueOf<TObject<Answer>>>;
	readonly aliases?: readonly Alias<Input<Extra>, ValueOf<TObject<Answer>>>[];
	readonly example: {
		readonly input: Input<Extra>;
		readonly output: ValueOf<TObject<Answer>>;
	};
	answer(
		query: FileQuery,
		pointer: Pointer,
		input: Input<Extra>,
		on: OperationContext,
	): Promise<ValueOf<TObject<Answer>>>;
	render(answer: ValueOf<TObject<Answer>>, input: Input<Extra>): string;
	next?(answer: ValueOf<TObject<Answer>>, input: Input<Extra>): NextStep | undefined;
	fallback?(answer: ValueOf<TObject<Answer>>): string | undefined;
}

/** Positions in `at` get a list of answers, in which each may fail. */
export function definePointed<
	const Name extends string,
	Answer extends TProperties,
	Extra extends TProperties = Record<never, TSchema>,
>(question: PositionQuestion<Name, Extra, Answer>): AnyOperation {
	type Value = ValueOf<TObject<Answer>>;
	type Given = Input<Extra>;
	const { input, output, options = {} } = question;
	const answerOne = (file: string, pointer: Pointer, given: Given, on: OperationContext) =>
		on.ask({ file, ...(options as AskOptions<Value & object>) }, async (query) => {
			const answer = await withDescription(
				query,
				pointer,
				question.answer(query, pointer, given, on) as Promise<Value & object>,
			);
			if (!options.isEmpty?.(answer)) return answer;
			const nothing = await query.describe(pointer).catch(() => undefined);
			return nothing === undefined ? answer : { ...answer, nothing };
		});
	const operation = {
		name: question.name,
		title: question.title,
		description: question.description,
		effect: "read",
		...(question.core ? { core: true } : {}),
		requests: question.requests,
		input: t.object({ ...At, ...input }),
		// Google's API refuses `anyOf`, the form of a union.
		output: t.object({
			...Type.Partial(t.object(output)).properties,
			...NothingThere,
			...Incomplete,
			...BatchOutput,
		}),
		positional: ["file", "symbol", "at"],
		...(question.aliases ? { aliases: question.aliases } : {}),
		example: question.example,
		async run(given: Given, on: OperationContext): Promise<Value | Batch<Value>> {
			const positions = positionsOf(given);
			const [first] = positions;
			if (positions.length === 1 && first) return answerOne(first.file, first.pointer, given, on);
			const answer = async ({ asked, file, pointer }: AskedPosition) => {
				try {
					return { asked, ...(await answerOne(file, pointer, given, on)) };
				} catch (thrown) {
					on.signal.throwIfAborted();
					return { asked, error: asLspError(thrown).toJSON() };
				}
			};
			return { several: await Promise.all(positions.map(answer)) };
		},
		render(answer: Value | Batch<Value>, given: Given): string {
			if (!isBatch(answer)) return renderOne(answer, question, given);
			return answer.several.map((entry) => `${entry.asked}:\n${renderEntry(entry, question, given)}`).join("\n\n");
		},
		exitCode: (answer: Value | Batch<Value>) => (isBatch(answer) && answer.several.every(isFailed) ? 2 : 0),
		next: (answer: Value | Batch<Value>, given: Given) =>
			isBatch(answer) ? undefined : question.next?.(answer, given),
		fallback(answer: Value | Batch<Value>, { file, symbol, line }: Given): NextStep | undefined {
			const operation = isBatch(answer) ? undefined : question.fallback?.(answer);
			if (operation === undefined || symbol === undefined) return undefined;
			return { operation, input: { file, symbol, ...(line === undefined ? {} : { line }) }, why: "" };
		},
	};
	return operation as unknown as AnyOperation;
}

async function withDescription<Value>(query: FileQuery, pointer: Pointer, answer: Promise<Value>): Promise<Value> {
	try {
		return await answer;
	} catch (thrown) {
		if (!(thrown instanceof LspError) || thrown.code !== "LSP_SERVER_ERROR") throw thrown;
		const description = await query.describe(pointer).catch(() => undefined);
		if (description === undefined) throw thrown;
		const message = `${thrown.message.replace(/\.?$/, ".")} ${description}`;
		throw new LspError(thrown.code, message, thrown.details, { cause: thrown.cause });
	}
}

interface Rendering<Value, Given> {
	render(value: Value, given: Given): string;
}

function renderOne<Value, Given>(answer: Value, { render }: Rendering<Value, Given>, given: Given): string {
	const { nothing } = answer as { readonly nothing?: string };
	return nothing === undefined ? render(answer, given) : `${render(answer, given)} ${nothing}`;
}

function renderEntry<Value, Given>(entry: Entry<Value>, question: Rendering<Value, Given>, given: Given): string {
	if (!isFailed(entry)) return [renderOne<Value, Given>(entry, question, given), ...incompleteLine(entry)].join("\n");
	const { code, message, details } = entry.error;
	return describeError(new LspError(code, message, details));
}

function isFailed<Value>(entry: Value | Failed): entry is Failed {
	return typeof entry === "object" && entry !== null && "error" in entry;
}

function isBatch<Value>(answer: Value | Batch<Value>): answer is Batch<Value> {
	return typeof answer === "object" && answer !== null && "several" in answer;
}

interface AskedPosition {
	readonly asked: string;
	readonly file: string;
	readonly pointer: Pointer;
}

function positionsOf({ file, at = [], ...given }: Static<typeof PositionInput>): AskedPosition[] {
	const { symbol, line, column, pattern } = given;
	const own = givenPointer(given);
	const hasOwn = Object.keys(own).length > 0 || at.length === 0;
	const first = { asked: pattern ?? symbol ?? `${line}:${column ?? ""}`, file, pointer: own };
	const more = at.map((word) => ({ asked: word, file, ...parsePointer(word) }));
	return hasOwn ? [first, ...more] : more;
}
