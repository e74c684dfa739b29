// CONTRIBUTING.md says how to add an operation.
import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { OperationContext } from "../daemon/operation-context.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { ErrorValue } from "./errors.ts";
import type { DeepReadonly } from "./schema.ts";

/** What an operation does to the world; decides hints to agents, the mode of execution and the audit. */
export type Effect = "read" | "write" | "control";

/** A call that is useful next; each face writes it in its own way. */
export interface NextStep {
	readonly operation: string;
	readonly input: Readonly<Record<string, unknown>>;
	/** A few words: `for its source`. */
	readonly why: string;
}

/** Another product whose tools are offered under their own names. */
type CompatProfile = "sah" | "llxprt" | "agent-lsp";

/** What the functions of an alias need to know of the caller. */
export interface AliasContext {
	/** Makes a path of an answer absolute. A URI of another scheme than `file:` stays. */
	absolute(path: string): string;
	uri(path: string): string;
	/** The path of a `file:` URI; any other text stays. */
	path(uri: string): string;
	/** The profile's names for the operations that `which` selects. */
	names(profile: CompatProfile, which: (operation: string) => boolean): readonly string[];
}

/**
 * An operation as a tool of another product. Aliases with the same name are one tool, whose parameter `operation` has the
 * value of `choice`.
 */
export interface Alias<Input, Output> {
	readonly profile: CompatProfile;
	readonly name: string;
	/** Newer names of the product, which work when they are called. */
	readonly alsoNamed?: readonly string[];
	readonly choice?: string;
	/** If it does less than the operation: the edit that it answers with is not written. */
	readonly effect?: Effect;
	readonly description: string;
	readonly input: TSchema & ObjectSchema;
	/** Several inputs where one call of the product needs several of the operation. */
	toInput(given: never, context: AliasContext): Input | readonly Input[];
	/** The product's answer, text or data. Without it the operation's own text is the answer. */
	toOutput?(output: Output, given: never, context: AliasContext): unknown;
	/** An error in the product's form. Without it the text is that of the operation's own tool. */
	toError?(error: ErrorValue): unknown;
	/** An error that the product gives as an answer; undefined for any other error. */
	toFailed?(error: ErrorValue, given: never): unknown;
	/** What must be said although the product's form of answer has no field for it. */
	note?(output: Output): string | undefined;
}

/** Declares an alias; `given` is typed by its schema. */
export function defineAlias<const Given extends TObject, Input, Output>(
	alias: Omit<Alias<Input, Output>, "input" | "toInput" | "toOutput" | "toFailed"> & {
		readonly input: Given;
		toInput(given: Static<Given>, context: AliasContext): Input | readonly Input[];
		toOutput?(output: Output, given: Static<Given>, context: AliasContext): unknown;
		toFailed?(error: ErrorValue, given: Static<Given>): unknown;
	},
): Alias<Input, Output> {
	return alias;
}

/** A question or an action. Tools of pi and MCP and commands of the shell are loops over the list of these values. */
export interface Operation<Name extends string, Input extends TObject, Output extends TObject> {
	/** pi tool `lsp_<name>`, shell `pi-lsp <name>`. */
	readonly name: Name;
	/** Other products' names for its tool, which work when they are called. */
	readonly alsoNamed?: readonly string[];
	readonly title: string;
	/** The first sentence says what it answers, the next when it beats a text search and what it cannot see. */
	readonly description: string;
	readonly effect: Effect;
	readonly input: Input;
	readonly output: Output;
	/** Words of the command line in order; a last one of type array takes all that remain. */
	readonly positional?: readonly (keyof Static<Input> & string)[];
	/** True if an operation of effect `control` starts a daemon where none runs. */
	readonly startsDaemon?: boolean;
	/** LSP requests that it sends to a file's server; without any it works with every server. */
	readonly requests?: readonly string[];
	/** Whether a server can do it, where its answering the requests does not say so. */
	offeredBy?(server: LanguageServer): boolean;
	/** True if it needs a server's diagnostics. */
	readonly needsDiagnostics?: boolean;
	/** True if its output is a CheckReport, which the command line writes in many formats. */
	readonly checks?: boolean;
	/** True if the command line shows it again each second with `--watch`. */
	readonly live?: boolean;
	/** True if a pi agent is offered it as a tool of its own. */
	readonly core?: boolean;
	readonly aliases?: readonly Alias<Static<Input>, DeepReadonly<Static<Output>>>[];
	/** Shown in help and README. */
	readonly example: { readonly input: Static<Input>; readonly output: DeepReadonly<Static<Output>> };
	/** Runs in the daemon, or in process. */
	run(input: Static<Input>, on: OperationContext): Promise<DeepReadonly<Static<Output>>>;
	/** The text for a person or a model; runs in the face. */
	render(output: DeepReadonly<Static<Output>>, input: Static<Input>): string;
	/** The call for what was left out, or for what a reader wants to know after this answer. */
	next?(output: DeepReadonly<Static<Output>>, input: Static<Input>): NextStep | undefined;
	/** The call that may find what an empty answer has not found. */
	deadEnd?(output: DeepReadonly<Static<Output>>, input: Static<Input>): NextStep | undefined;
	/** The exit code of the command line; 0 without it. */
	exitCode?(output: DeepReadonly<Static<Output>>): number;
	/** A line of the command line on standard error. */
	note?(output: DeepReadonly<Static<Output>>): string | undefined;
}

export interface ObjectSchema {
	readonly type: "object";
	readonly properties: Readonly<Record<string, TSchema>>;
	readonly required?: string[] | undefined;
}

export type AnyAlias = Alias<unknown, never>;

/** Any operation. `never` admits only values that were checked against the operation's own schema. */
export interface AnyOperation {
	readonly name: string;
	readonly alsoNamed?: readonly string[];
	readonly title: string;
	readonly description: string;
	readonly effect: Effect;
	readonly input: TSchema & ObjectSchema;
	readonly output: TSchema & ObjectSchema;
	readonly positional?: readonly string[];
	readonly startsDaemon?: boolean;
	readonly core?: boolean;
	readonly requests?: readonly string[];
	offeredBy?(server: LanguageServer): boolean;
	readonly needsDiagnostics?: boolean;
	readonly checks?: boolean;
	readonly live?: boolean;
	readonly aliases?: readonly AnyAlias[];
	readonly example: { readonly input: unknown; readonly output: unknown };
	run(input: never, on: OperationContext): Promise<unknown>;
	render(output: never, input: never): string;
	next?(output: never, input: never): NextStep | undefined;
	deadEnd?(output: never, input: never): NextStep | undefined;
	exitCode?(output: never): number;
	note?(output: never): string | undefined;
}

/** Declares an operation; the compiler checks positionals, example and result. */
export function defineOperation<const Name extends string, Input extends TObject, Output extends TObject>(
	operation: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> {
	return operation;
}
