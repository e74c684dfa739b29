import { LspError } from "../../contract/errors.ts";
import type { ExtensionTool } from "../../contract/extension.ts";
import { childEnvironment } from "../../process/environment.ts";
import { isObject } from "../../util/objects.ts";
import type { OperationCall } from "../operation-context.ts";
import { runModule } from "./run-module.ts";

/** Characters of a text; longer ones are cut. */
const maxText = 64 * 1024;
/** Characters of the data as JSON. */
const maxData = 1024 * 1024;

interface ExtensionAnswer {
	readonly answer: { readonly text: string; readonly data?: object; readonly incomplete?: string };
	/** A WorkspaceEdit that nothing has looked at. */
	readonly edit?: object;
}

export interface ExtensionControl {
	/** Rejects with LSP_EXTENSION_FAILED, LSP_ANSWER_TOO_LARGE, and what its own questions were rejected with. */
	run(tool: ExtensionTool, input: object): Promise<ExtensionAnswer>;
}

export function extensionControl(call: OperationCall): ExtensionControl {
	return {
		async run(tool, input) {
			const { directory } = await call.settings();
			const env = childEnvironment(await call.env());
			const answer = await runModule(tool, input, {
				cwd: directory,
				env,
				signal: call.signal,
				ask: (method, params) => asked(call, method, params),
			});
			return checked(tool, answer);
		},
	};
}

/** What a tool may ask while it runs: `run` any reading operation of pi-lsp, `request` a language server. */
function asked(call: OperationCall, method: string, params: unknown): Promise<unknown> {
	const given = isObject(params) ? params : {};
	const { operations, dispatch, params: caller, service, signal, env, heldBack } = call;
	const source = { env, signal, ...(heldBack ? { heldBack } : {}) };
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
	if (data !== undefined && JSON.stringify(data).length > maxData)
		throw new LspError("LSP_ANSWER_TOO_LARGE", `The data of ${tool.name} has more than ${maxData} characters.`);
	const cut = text.length - maxText;
	const rest = cut > 0 ? { incomplete: `${cut} more characters were left out.` } : {};
	return {
		answer: { text: text.slice(0, maxText), ...(data === undefined ? {} : { data }), ...rest },
		...(edit === undefined ? {} : { edit }),
	};
}

function failed({ name, package: from }: ExtensionTool, why: string): LspError {
	return new LspError("LSP_EXTENSION_FAILED", `${name} of the package ${from} failed: ${why}.`, { package: from });
}
