import { LspError } from "../errors.ts";
import { operations } from "../operations/index.ts";
import type { EnvironmentSource } from "../workspace/pool.ts";
import { beginCommand, changedBy, checkEdit, takeBaseline } from "./edits.ts";
import type { Hub } from "./hub.ts";
import { parseInput } from "./parse-input.ts";
import type {
	BaselineParams,
	CallParams,
	CheckEditParams,
	CommandParams,
	DestroyServerParams,
	LateParams,
	RawRequestParams,
} from "./protocol.ts";
import { workbenchFor } from "./workbench.ts";

/** Carries out one call of a caller: an operation by its name, or one of the daemon's own methods. */
export async function dispatch(
	hub: Hub,
	method: string,
	params: unknown,
	env: EnvironmentSource,
	signal: AbortSignal,
): Promise<unknown> {
	if (typeof params !== "object" || params === null)
		throw new LspError("LSP_INVALID_INPUT", `${method} needs an object of parameters.`);
	const own = Object.hasOwn(methods, method) ? methods[method] : undefined;
	if (own) return own(hub, params as never, env, signal);
	const operation = operations.find(({ name }) => name === method);
	if (!operation) throw new LspError("LSP_UNKNOWN_OPERATION", `There is no operation "${method}".`);
	const { input, ...caller } = params as CallParams;
	if (typeof caller.cwd !== "string") throw new LspError("LSP_INVALID_INPUT", `${method}: cwd: Expected string.`);
	return operation.run(parseInput(operation, input), await workbenchFor(hub, caller, env, signal));
}

type Method = (hub: Hub, params: never, env: EnvironmentSource, signal: AbortSignal) => Promise<unknown>;

const methods: Readonly<Record<string, Method>> = {
	check_edit: (hub, params: CheckEditParams, env, signal) => checkEdit(hub, params, env, signal),
	changed_by: (hub, params: CommandParams) => changedBy(hub, params),
	late: (hub, { session, wait }: LateParams, _env, signal) => hub.late.take(session, wait, signal),
	request: rawRequest,
	destroy_server: async (hub, { id, root }: DestroyServerParams) => ({
		stopped: await hub.pool.stop((server) => (!id || server.id === id) && (!root || server.root === root)),
	}),
};

/** Notifications: nobody waits for an answer. */
export function notified(hub: Hub, method: string, params: unknown, env: EnvironmentSource): void {
	if (method === "baseline") void takeBaseline(hub, params as BaselineParams, env);
	else if (method === "command") beginCommand(hub, params as CommandParams);
}

async function rawRequest(
	hub: Hub,
	params: RawRequestParams,
	env: EnvironmentSource,
	signal: AbortSignal,
): Promise<unknown> {
	if (typeof params.method !== "string" || typeof params.file !== "string")
		throw new LspError("LSP_INVALID_INPUT", "request: method and file: Expected string.");
	const on = await workbenchFor(hub, params, env, signal);
	return on.ask(params.file, ({ server, document }) =>
		server.request(params.method, { textDocument: { uri: document.uri }, ...params.params }, signal),
	);
}
