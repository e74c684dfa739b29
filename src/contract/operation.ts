import type { Static, TObject, TSchema } from "@sinclair/typebox";
import type { OperationContext } from "../daemon/operation-context.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { ErrorValue } from "./errors.ts";
import type { DeepReadonly } from "./schema.ts";

/** Decides hints to agents, execution and audit. */
export type Effect = "read" | "write" | "control";

export interface NextStep {
	readonly operation: string;
	readonly input: Readonly<Record<string, unknown>>;
	readonly why: string;
}

type CompatProfile = "sah" | "llxprt" | "agent-lsp";

export interface AliasContext {
	/** Keeps a URI other than `file:`. */
	absolute(path: string): string;
	uri(path: string): string;
	/** Keeps any other text. */
	path(uri: string): string;
	names(profile: CompatProfile, which: (operation: string) => boolean): readonly string[];
}

/** Of another product. Aliases with one name are one tool, whose `operation` takes `choice`. */
export interface Alias<Input, Output> {
	readonly profile: CompatProfile;
	readonly name: string;
	readonly alsoNamed?: readonly string[];
	readonly choice?: string;
	readonly effect?: Effect;
	readonly description: string;
	readonly input: TSchema & ObjectSchema;
	toInput(given: never, context: AliasContext): Input | readonly Input[];
	/** Default: the operation's text. */
	toOutput?(output: Output, given: never, context: AliasContext): unknown;
	/** Default: the operation's error. */
	toError?(error: ErrorValue): unknown;
	/** For errors that the product answers. */
	toFailed?(error: ErrorValue, given: never): unknown;
	note?(output: Output): string | undefined;
	/** `_meta` of MCP's result; `answer` is `toOutput`'s. */
	toMeta?(output: Output, answer: unknown): object | undefined;
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

interface OperationFacts {
	readonly alsoNamed?: readonly string[];
	readonly title: string;
	/** What it answers, when it beats a text search, what it cannot see. */
	readonly description: string;
	readonly effect: Effect;
	/** For effect `control`: starts a missing daemon. */
	readonly startsDaemon?: boolean;
	/** Those it sends; without any it works with every server. */
	readonly requests?: readonly string[];
	offeredBy?(server: LanguageServer): boolean;
	readonly needsDiagnostics?: boolean;
	readonly checks?: boolean;
	readonly live?: boolean;
	readonly core?: boolean;
}

interface OperationWork<Input, Output, Result = Output> {
	run(input: Input, on: OperationContext): Promise<Result>;
	/** Runs in the face. */
	render(output: Output, input: Input): string;
	/** For what was left out, or is wanted next. */
	next?(output: Output, input: Input): NextStep | undefined;
	/** May find what an empty answer lacks. */
	fallback?(output: Output, input: Input): NextStep | undefined;
	/** Default: 0. */
	exitCode?(output: Output): number;
	note?(output: Output): string | undefined;
}

export interface Operation<Name extends string, Input extends TObject, Output extends TObject>
	extends OperationFacts,
		OperationWork<Static<Input>, DeepReadonly<Static<Output>>> {
	/** pi's tool is `lsp_<name>`, the shell's command `pi-lsp <name>`. */
	readonly name: Name;
	readonly input: Input;
	readonly output: Output;
	/** In order; a last array takes all that remain. */
	readonly positional?: readonly (keyof Static<Input> & string)[];
	readonly aliases?: readonly Alias<Static<Input>, DeepReadonly<Static<Output>>>[];
	readonly example: { readonly input: Static<Input>; readonly output: DeepReadonly<Static<Output>> };
}

export interface ObjectSchema {
	readonly type: "object";
	readonly properties: Readonly<Record<string, TSchema>>;
	readonly required?: string[] | undefined;
}

export type AnyAlias = Alias<unknown, never>;

/** `never` admits only values checked against the own schema. */
export interface AnyOperation extends OperationFacts, OperationWork<never, never, unknown> {
	readonly name: string;
	readonly input: TSchema & ObjectSchema;
	readonly output: TSchema & ObjectSchema;
	readonly positional?: readonly string[];
	readonly aliases?: readonly AnyAlias[];
	readonly example: { readonly input: unknown; readonly output: unknown };
}

export function defineOperation<const Name extends string, Input extends TObject, Output extends TObject>(
	operation: Operation<Name, Input, Output>,
): Operation<Name, Input, Output> {
	return operation;
}
