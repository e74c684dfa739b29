import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { OperationContext } from "../daemon/operation-context.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { ErrorValue } from "./errors.ts";
import type { DeepReadonly } from "./schema.ts";

/** The effect decides hints to agents, the mode of execution and the audit. */
export type Effect = "read" | "write" | "control";

export interface NextStep {
	readonly operation: string;
	readonly input: Readonly<Record<string, unknown>>;
	/** A few words, such as `for its source`. */
	readonly why: string;
}

type CompatProfile = "sah" | "llxprt" | "agent-lsp";

export interface AliasContext {
	/** A URI other than `file:` stays. */
	absolute(path: string): string;
	uri(path: string): string;
	/** Any text but a `file:` URI stays. */
	path(uri: string): string;
	names(profile: CompatProfile, which: (operation: string) => boolean): readonly string[];
}

/**
 * An operation as a tool of another product. Aliases with the same name are one tool, whose parameter `operation` takes
 * `choice`.
 */
export interface Alias<Input, Output> {
	readonly profile: CompatProfile;
	readonly name: string;
	/** More names of the tool, which work when they are called. */
	readonly alsoNamed?: readonly string[];
	readonly choice?: string;
	/** If it does less than the operation: its edit is not written. */
	readonly effect?: Effect;
	readonly description: string;
	readonly input: TSchema & ObjectSchema;
	toInput(given: never, context: AliasContext): Input | readonly Input[];
	/** Text or data; default: the operation's own text. */
	toOutput?(output: Output, given: never, context: AliasContext): unknown;
	/** Default: that of the operation's own tool. */
	toError?(error: ErrorValue): unknown;
	/** An error that the product gives as an answer; undefined for any other. */
	toFailed?(error: ErrorValue, given: never): unknown;
	/** What the product's answer has no field for. */
	note?(output: Output): string | undefined;
}

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

/** A question or an action. Faces are loops over the list of operations. */
export interface Operation<Name extends string, Input extends TObject, Output extends TObject> {
	/** The tool of pi is `lsp_<name>`, the shell's command `pi-lsp <name>`. */
	readonly name: Name;
	/** Other products' names, which work when they are called. */
	readonly alsoNamed?: readonly string[];
	readonly title: string;
	/** The first sentence says what it answers, the next when it beats a text search and what it cannot see. */
	readonly description: string;
	readonly effect: Effect;
	readonly input: Input;
	readonly output: Output;
	/** Positional arguments in order; a last array takes all that remain. */
	readonly positional?: readonly (keyof Static<Input> & string)[];
	/** An operation of effect `control` starts a daemon where none runs. */
	readonly startsDaemon?: boolean;
	/** LSP requests that it sends; without any it works with every server. */
	readonly requests?: readonly string[];
	/** Tells whether a server can do it, if `requests` does not. */
	offeredBy?(server: LanguageServer): boolean;
	readonly needsDiagnostics?: boolean;
	/** The output is a CheckReport. */
	readonly checks?: boolean;
	/** `--watch` shows the output again each second. */
	readonly live?: boolean;
	/** pi agents get it as a tool of its own. */
	readonly core?: boolean;
	readonly aliases?: readonly Alias<Static<Input>, DeepReadonly<Static<Output>>>[];
	readonly example: { readonly input: Static<Input>; readonly output: DeepReadonly<Static<Output>> };
	run(input: Static<Input>, on: OperationContext): Promise<DeepReadonly<Static<Output>>>;
	/** Writes the answer for a person or a model; runs in the face. */
	render(output: DeepReadonly<Static<Output>>, input: Static<Input>): string;
	/** The call for what was left out, or is wanted next. */
	next?(output: DeepReadonly<Static<Output>>, input: Static<Input>): NextStep | undefined;
	/** The call that may find what an empty answer has not found. */
	deadEnd?(output: DeepReadonly<Static<Output>>, input: Static<Input>): NextStep | undefined;
	/** Default: 0. */
	exitCode?(output: DeepReadonly<Static<Output>>): number;
	/** A line for standard error. */
	note?(output: DeepReadonly<Static<Output>>): string | undefined;
}

export interface ObjectSchema {
	readonly type: "object";
	readonly properties: Readonly<Record<string, TSchema>>;
	readonly required?: string[] | undefined;
}

export type AnyAlias = Alias<unknown, never>;

/** `never` admits only values that were checked against the own schema. */
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

export function defineOperation<const Name extends string, Input extends TObject, Output extends TObject>(
	operation: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> {
	return operation;
}
