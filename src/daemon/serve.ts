import { isCallerConfig } from "../config/caller-config.ts";
import { LspError } from "../contract/errors.ts";
import type {
	BaselineParams,
	CallerParams,
	CallParams,
	CheckCommandParams,
	CheckEditParams,
	CommandParams,
	DestroyServerParams,
	LateParams,
	RawRequestParams,
	TrustParams,
} from "../contract/protocol.ts";
import { operations } from "../operations/index.ts";
import type { EnvironmentSource } from "../pool/server-entry.ts";
import { changedBy, checkCommand, checkEdit, commandBegins, takeBaseline } from "./edits.ts";
import { operationContextFor } from "./operation-context.ts";
import { parseInput } from "./parse-input.ts";
import type { Service } from "./service.ts";
import { trust } from "./trust.ts";

/** Carries out one call of a caller: an operation by its name, or one of the daemon's own methods. */
export async function dispatch(
	hub: Service,
	method: string,
	params: unknown,
	env: EnvironmentSource,
	signal: AbortSignal,
): Promise<unknown> {
	if (typeof params !== "object" || params === null)
		throw new LspError("LSP_INVALID_INPUT", `${method} needs an object of parameters.`);
	requireConfig(method, params);
	const own = Object.hasOwn(methods, method) ? methods[method] : undefined;
	if (own) {
		requireStrings(method, params, own.strings);
		return own.run(hub, params as never, env, signal);
	}
	const operation = operations.find(({ name }) => name === method);
	if (!operation) throw new LspError("LSP_UNKNOWN_OPERATION", `There is no operation "${method}".`);
	const { input, ...caller } = params as CallParams;
	if (typeof caller.cwd !== "string") throw new LspError("LSP_INVALID_INPUT", `${method}: cwd: Expected string.`);
	return operation.run(parseInput(operation, input), operationContextFor(hub, caller, env, signal, operations));
}

interface Method {
	/** Parameters that have to be there, as strings. */
	readonly strings: readonly string[];
	run(hub: Service, params: never, env: EnvironmentSource, signal: AbortSignal): Promise<unknown>;
}

function requireStrings(method: string, params: object, names: readonly string[]): void {
	const missing = names.find((name) => typeof (params as Record<string, unknown>)[name] !== "string");
	if (missing !== undefined) throw new LspError("LSP_INVALID_INPUT", `${method}: ${missing}: Expected string.`);
}

function requireConfig(method: string, { config }: Partial<CallerParams>): void {
	if (config !== undefined && !isCallerConfig(config))
		throw new LspError("LSP_INVALID_INPUT", `${method}: config: Expected a file or servers, and a directory.`);
}

const edit = ["cwd", "session", "call", "file"];

const methods: Readonly<Record<string, Method>> = {
	check_edit: {
		strings: edit,
		run: (hub, params: CheckEditParams, env, signal) => checkEdit(hub, params, env, signal),
	},
	check_command: {
		strings: ["cwd", "session", "call"],
		run: (hub, params: CheckCommandParams, env, signal) => checkCommand(hub, params, env, signal),
	},
	changed_by: { strings: ["cwd", "session", "call"], run: (hub, params: CommandParams) => changedBy(hub, params) },
	late: {
		strings: ["session"],
		run: (hub, { session, wait, told }: LateParams, _env, signal) => {
			const { late } = hub.session(session);
			late.confirm(told);
			return late.take(Number(wait) || 0, signal);
		},
	},
	request: { strings: ["cwd", "file", "method"], run: rawRequest },
	trust: { strings: ["cwd"], run: (hub, params: TrustParams, env) => trust(hub, params, env) },
	destroy_server: {
		strings: [],
		run: async (hub, { id, root }: DestroyServerParams) => ({
			stopped: await hub.pool.stop((server) => (!id || server.id === id) && (!root || server.root === root)),
		}),
	},
};

/** Notifications: nobody waits for an answer, and a malformed one is nobody's loss. */
export function notified(hub: Service, method: string, params: unknown, env: EnvironmentSource): void {
	if (typeof params !== "object" || params === null) return;
	try {
		requireConfig(method, params);
		if (method === "baseline") requireStrings(method, params, edit);
		if (method === "baseline") void takeBaseline(hub, params as BaselineParams, env);
		else if (method === "command") commandBegins(hub, params as CommandParams);
	} catch {
		// As above.
	}
}

async function rawRequest(
	hub: Service,
	params: RawRequestParams,
	env: EnvironmentSource,
	signal: AbortSignal,
): Promise<unknown> {
	const on = operationContextFor(hub, params, env, signal, operations);
	const { answer } = await on.ask(params.file, async ({ server, document }) => ({
		answer: await server.request(params.method, { textDocument: { uri: document.uri }, ...params.params }, signal),
	}));
	return answer;
}
