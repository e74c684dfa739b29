import { Errors } from "@sinclair/typebox/errors";
import { Check } from "@sinclair/typebox/value";
import { LspError } from "../../contract/errors.ts";
import { answerable, type ExtensionFunction, type ExtensionTool } from "../../contract/extension.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { childEnvironment } from "../../process/environment.ts";
import { nameTest } from "../../project/file-match.ts";
import { resolveFile } from "../../routing/locate.ts";
import { isObject } from "../../util/objects.ts";
import type { OperationCall } from "../operation-context.ts";
import { runModule } from "./run-module.ts";

/** In characters; longer texts are cut. */
const maxText = 64 * 1024;
/** In characters, of the data as JSON. */
const maxData = 1024 * 1024;

interface ExtensionAnswer {
	readonly answer: { readonly text: string; readonly data?: object; readonly incomplete?: string };
	/** A WorkspaceEdit, not checked. */
	readonly edit?: object;
}

export function extensionControl(call: OperationCall) {
	return {
		/** Rejects with LSP_EXTENSION_FAILED, LSP_ANSWER_TOO_LARGE, and like its own questions. */
		run: async (tool: ExtensionTool, input: object) => checked(tool, await carryOut(call, tool, "tools", input)),
	};
}

/** From the first package that has one; undefined if pi-lsp is to answer. Rejects like `extensionControl`. */
export async function answerOfPackage(
	call: OperationCall,
	operation: AnyOperation,
	input: object,
): Promise<object | undefined> {
	if (call.isOfPackage || !(answerable as readonly string[]).includes(operation.name)) return undefined;
	const settings = await call.settings();
	const named = settings.extension.answers.filter(({ name }) => name === operation.name);
	if (named.length === 0) return undefined;
	const { file } = input as { readonly file: string };
	const { path } = await resolveFile(file, settings);
	for (const each of named.filter(nameTest(path))) {
		const answer = await carryOut(call, each, "answers", input);
		if (answer !== null) return checkedAnswer(each, operation, input, answer);
	}
	return undefined;
}

async function carryOut(
	call: OperationCall,
	called: ExtensionFunction,
	kind: "tools" | "answers",
	input: object,
): Promise<unknown> {
	const { directory: cwd } = await call.settings();
	const env = childEnvironment(await call.env());
	const { signal } = call;
	return runModule(called, { kind, input, cwd, env, signal, ask: (method, params) => asked(call, method, params) });
}

/** `run` is any reading operation, `request` asks a language server. */
function asked(call: OperationCall, method: string, params: unknown): Promise<unknown> {
	const given = isObject(params) ? params : {};
	const { operations, dispatch, params: caller, service, signal, env, heldBack } = call;
	const source = { env, signal, isOfPackage: true, ...(heldBack ? { heldBack } : {}) };
	if (method === "request") {
		const { file, method: wanted, params: about } = given;
		return dispatch(service, "request", { ...caller, file, method: wanted, params: about }, source);
	}
	const operation = operations.find(({ name, effect }) => name === given.operation && effect === "read");
	if (method !== "run" || !operation)
		throw new LspError("LSP_UNKNOWN_OPERATION", `There is no reading operation "${String(given.operation)}".`);
	return dispatch(service, operation.name, { ...caller, input: given.input ?? {} }, source);
}

function checked(tool: ExtensionTool, answer: unknown): ExtensionAnswer {
	const given = typeof answer === "string" ? { text: answer } : answer;
	if (!isObject(given) || typeof given.text !== "string")
		throw failed(tool, "it answered with neither a text nor an object that has one as `text`");
	const { text, data, edit } = given;
	if (data !== undefined && !isObject(data)) throw failed(tool, "the `data` of its answer is no object");
	if (edit !== undefined && !isObject(edit)) throw failed(tool, "the `edit` of its answer is no WorkspaceEdit");
	if (edit !== undefined && tool.effect !== "write")
		throw failed(tool, 'its answer has an `edit`, and its "effect" is not "write"');
	requireSize(tool, data);
	const cut = text.length - maxText;
	const rest = cut > 0 ? { incomplete: `${cut} more characters were left out.` } : {};
	return {
		answer: { text: text.slice(0, maxText), ...(data === undefined ? {} : { data }), ...rest },
		...(edit === undefined ? {} : { edit }),
	};
}

/** The operation's `render` can read it too. */
function checkedAnswer(called: ExtensionFunction, operation: AnyOperation, input: object, answer: unknown): object {
	const [mistake] = Check(operation.output, answer) ? [] : Errors(operation.output, answer);
	if (!isObject(answer) || mistake)
		throw failed(called, `its answer${mistake?.path ?? ""} has another form than that of ${operation.name}`);
	requireSize(called, answer);
	try {
		operation.render(answer as never, input as never);
	} catch (error) {
		throw failed(called, `its answer cannot be shown (${(error as Error).message})`);
	}
	return answer;
}

function requireSize({ name }: ExtensionFunction, data: unknown): void {
	if (data === undefined || JSON.stringify(data).length <= maxData) return;
	throw new LspError("LSP_ANSWER_TOO_LARGE", `The data of ${name} has more than ${maxData} characters.`);
}

function failed({ name, package: from }: ExtensionFunction, why: string): LspError {
	return new LspError("LSP_EXTENSION_FAILED", `${name} of the package ${from} failed: ${why}.`, { package: from });
}
