import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { OperationContext } from "../daemon/operation-context.ts";
import type { ErrorValue } from "./errors.ts";

/** What running an operation does to the world: drives hints to agents, execution mode and the audit. */
export type Effect = "read" | "write" | "control";

/** Results are told, not changed. */
export type DeepReadonly<T> = T extends readonly (infer Item)[]
	? readonly DeepReadonly<Item>[]
	: T extends object
		? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
		: T;

/** The call that a reader would make next, as each face writes it in its own way. */
export interface NextStep {
	readonly operation: string;
	readonly input: Readonly<Record<string, unknown>>;
	/** What it is good for, in a few words: `for its source`. */
	readonly why: string;
}

/** A product whose tools are offered under their own names. */
type Seed = "sah" | "llxprt" | "agent-lsp";

/** What the form of a seed's answer takes beside the operation's own: whose paths they are. */
export interface Reader {
	/** A path of an answer as an absolute one. A URI of another scheme than `file` stays what it is. */
	absolute(path: string): string;
	/** The same as a URI. */
	uri(path: string): string;
	/** The path that a URI stands for; anything else as it is. */
	path(uri: string): string;
	/** LSP's number for the word of a SymbolKind, and of a CompletionItemKind. */
	symbolKind(word: string): number;
	completionKind(word: string): number;
	/** The names that a seed has for the operations that `which` picks. */
	names(profile: Seed, which: (operation: string) => boolean): readonly string[];
}

/**
 * An operation as a tool of a seed: its name, its parameters, its form of answer. Several with one name are one tool
 * with a field `operation`, which has the value of `choice`.
 */
export interface Alias<Input, Output> {
	readonly profile: Seed;
	readonly name: string;
	readonly choice?: string;
	readonly description: string;
	readonly input: TSchema & ObjectSchema;
	/** What the operation is asked; more than one input where the seed's one call needs several of ours. */
	toInput(given: never, reader: Reader): Input | readonly Input[];
	/** The seed's answer, a text or data; without it the seed prints none, and the operation's own text is told. */
	toOutput?(output: Output, given: never, reader: Reader): unknown;
	/** A failure in the seed's form; without it our own text. */
	toError?(error: ErrorValue): unknown;
	/** A failure that the seed tells as an answer, and not as an error; undefined for one that it does not. */
	toFailed?(error: ErrorValue, given: never): unknown;
	/** What the seed's form of answer has no place for, and must be said all the same. */
	note?(output: Output): string | undefined;
}

/** Declares an alias: its functions know the seed's parameters by the schema. */
export function defineAlias<const Given extends TObject, Input, Output>(
	alias: Omit<Alias<Input, Output>, "input" | "toInput" | "toOutput" | "toFailed"> & {
		readonly input: Given;
		toInput(given: Static<Given>, reader: Reader): Input | readonly Input[];
		toOutput?(output: Output, given: Static<Given>, reader: Reader): unknown;
		toFailed?(error: ErrorValue, given: Static<Given>): unknown;
	},
): Alias<Input, Output> {
	return alias;
}

/**
 * One question or action, declared once; pi tools, CLI commands and MCP tools are loops over the list of these values.
 */
export interface Operation<Name extends string, Input extends TObject, Output extends TObject> {
	/** A plain word of the field: pi tool `lsp_<name>`, shell `pi-lsp <name>`. */
	readonly name: Name;
	readonly title: string;
	/** First sentence: what it answers. Then: when it beats a text search, and what it cannot see. */
	readonly description: string;
	readonly effect: Effect;
	readonly input: Input;
	/** Always an object: it can grow. */
	readonly output: Output;
	/** Bare words of the command line in order; the last takes all that remain if it is an array. */
	readonly positional?: readonly (keyof Static<Input> & string)[];
	/** True for one of effect `control` that makes sense before a daemon is there: it is started, or asked in process. */
	readonly alone?: boolean;
	/** The requests of LSP that it sends to a file's server; without any it works with every server. */
	readonly asks?: readonly string[];
	/** True if it needs a server's diagnostics. */
	readonly judges?: boolean;
	/** True for the few that a pi agent is offered as a tool of its own. */
	readonly core?: boolean;
	/** Its names in the seeds' profiles. */
	readonly aliases?: readonly Alias<Static<Input>, DeepReadonly<Static<Output>>>[];
	/** A real exchange: shown in help and README, checked by tests. */
	readonly example: { readonly input: Static<Input>; readonly output: DeepReadonly<Static<Output>> };
	/** In the daemon, or in process. Touches the world only through `on`. */
	run(input: Static<Input>, on: OperationContext): Promise<DeepReadonly<Static<Output>>>;
	/** Pure, in the face: what a person or a model reads. */
	render(output: DeepReadonly<Static<Output>>, input: Static<Input>): string;
	/** The useful next step, where there is one: what was left out, or what the answer makes one want to know. */
	next?(output: DeepReadonly<Static<Output>>, input: Static<Input>): NextStep | undefined;
	/** The exit code of the command line; 0 without it. */
	exitCode?(output: DeepReadonly<Static<Output>>): number;
	/** What the command line says beside the answer, on standard error. */
	note?(output: DeepReadonly<Static<Output>>): string | undefined;
}

/** An object schema as the faces read it. */
export interface ObjectSchema {
	readonly type: "object";
	readonly properties: Readonly<Record<string, TSchema>>;
	readonly required?: string[] | undefined;
}

export type AnyAlias = Alias<unknown, never>;

/**
 * Any operation, for the loops of the faces and of the daemon. `never` says that only a value which was checked against
 * the operation's own schema may be handed in.
 */
export interface AnyOperation {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly effect: Effect;
	readonly input: TSchema & ObjectSchema;
	readonly output: TSchema & ObjectSchema;
	readonly positional?: readonly string[];
	readonly alone?: boolean;
	readonly core?: boolean;
	readonly asks?: readonly string[];
	readonly judges?: boolean;
	readonly aliases?: readonly AnyAlias[];
	readonly example: { readonly input: unknown; readonly output: unknown };
	run(input: never, on: OperationContext): Promise<unknown>;
	render(output: never, input: never): string;
	next?(output: never, input: never): NextStep | undefined;
	exitCode?(output: never): number;
	note?(output: never): string | undefined;
}

/** Declares an operation: a wrong positional, example or result is an error of the compiler. */
export function defineOperation<const Name extends string, Input extends TObject, Output extends TObject>(
	operation: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> {
	return operation;
}
