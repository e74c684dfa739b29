import { isCallerConfig } from "../config/caller-config.ts";
import type { AgentEventParams } from "../contract/agent-event.ts";
import { LspError } from "../contract/errors.ts";
import type { HostCallsParams } from "../contract/host-call.ts";
import type {
	AffectedByParams,
	BaselineParams,
	CallerParams,
	CallParams,
	CommandParams,
	CommitParams,
	Conversation,
	DestroyServerParams,
	KnownNameParams,
	LateParams,
	ProveTextsParams,
	RawRequestParams,
	TrustParams,
} from "../contract/protocol.ts";
import { extensionOperation } from "../operations/extension-operations.ts";
import { operations } from "../operations/index.ts";
import type { EnvironmentSource } from "../pool/server-entry.ts";
import { agentEvent } from "./agents/agent-events.ts";
import { changedBy, checkCommand, commandBegins } from "./check-command.ts";
import { checkEdit, preflight, proveBaselineFor } from "./check-edit.ts";
import { awaitChange } from "./checks/await-change.ts";
import { affectedBy } from "./editors/affected-by.ts";
import { proveTexts } from "./editors/prove-texts.ts";
import { rawRequest } from "./editors/raw-request.ts";
import { answerOfPackage } from "./extensions/extension-control.ts";
import { knownName } from "./known-name.ts";
import { operationCallFor, operationContextFor } from "./operation-context.ts";
import { parseInput } from "./parse-input.ts";
import type { Service } from "./service.ts";
import { trust } from "./trust.ts";
import { commitChange } from "./writing/commit-change.ts";

export interface CallSource {
	readonly env: EnvironmentSource;
	readonly heldBack?: () => Promise<readonly string[]>;
	readonly signal: AbortSignal;
	/** A package asks: other packages are not asked again. */
	readonly isOfPackage?: boolean;
}

const known = { operations, dispatch };
const operationsByName = new Map(operations.map((operation) => [operation.name, operation]));

export async function dispatch(
	service: Service,
	method: string,
	params: unknown,
	source: CallSource,
): Promise<unknown> {
	if (typeof params !== "object" || params === null)
		throw new LspError("LSP_INVALID_INPUT", `${method} needs an object of parameters.`);
	requireCaller(method, params);
	// A killed process may have left half a change.
	await service.recovered;
	const ownMethod = Object.hasOwn(methods, method) ? methods[method] : undefined;
	if (ownMethod) {
		requireStrings(method, params, ownMethod.strings);
		return ownMethod.run(service, params as never, source);
	}
	const { input, ...caller } = params as CallParams;
	const hasPlace = typeof caller.cwd === "string";
	// Only packages' tools have a hyphen.
	const isAdded = hasPlace && method.includes("-");
	const operation = isAdded
		? extensionOperation((await service.settings(caller)).extension, method)
		: operationsByName.get(method);
	if (!operation) throw new LspError("LSP_UNKNOWN_OPERATION", `There is no operation "${method}".`);
	if (!hasPlace) throw new LspError("LSP_INVALID_INPUT", `${method}: cwd: Expected string.`);
	const call = operationCallFor(service, caller, source, known);
	const given = parseInput(operation, input);
	return (await answerOfPackage(call, operation, given)) ?? operation.run(given, operationContextFor(call));
}

interface Method {
	readonly strings: readonly string[];
	run(service: Service, params: never, source: CallSource): Promise<unknown>;
}

function requireStrings(method: string, params: object, names: readonly string[]): void {
	const missing = names.find((name) => typeof (params as Record<string, unknown>)[name] !== "string");
	if (missing !== undefined) throw new LspError("LSP_INVALID_INPUT", `${method}: ${missing}: Expected string.`);
}

function requireCaller(method: string, { config, conversation, environment }: Partial<CallerParams>): void {
	if (conversation !== undefined && !isConversation(conversation))
		throw new LspError("LSP_INVALID_INPUT", `${method}: conversation: Expected an id and a time.`);
	if (environment !== undefined && (typeof environment?.key !== "string" || typeof environment.path !== "string"))
		throw new LspError("LSP_INVALID_INPUT", `${method}: environment: Expected a key and a path.`);
	if (config !== undefined && !isCallerConfig(config))
		throw new LspError("LSP_INVALID_INPUT", `${method}: config: Expected a file or servers, and a directory.`);
}

function isConversation(given: unknown): boolean {
	const { id, begunAt } = (given ?? {}) as Partial<Conversation>;
	return typeof id === "string" && typeof begunAt === "number";
}

const commandParameters = ["cwd", "session", "call"];
const editParameters = [...commandParameters, "file"];

const methods: Readonly<Record<string, Method>> = {
	agent_event: {
		strings: ["cwd", "session", "phase"],
		run: (service, params: AgentEventParams, source) =>
			agentEvent(service, params, source, { call: dispatch, notify: notified }),
	},
	host_calls: {
		strings: [],
		run: (service, params: HostCallsParams, { signal }) => {
			const { pid, wait, verdicts } = params;
			if (![pid, wait].every(Number.isInteger) || !Array.isArray(verdicts))
				throw new LspError("LSP_INVALID_INPUT", "host_calls: Expected pid, wait and verdicts.");
			return service.hostSkills.follow(params, signal);
		},
	},
	preflight: { strings: editParameters, run: preflight },
	check_edit: { strings: editParameters, run: checkEdit },
	check_command: { strings: commandParameters, run: checkCommand },
	changed_by: { strings: commandParameters, run: changedBy },
	late: {
		strings: ["session"],
		run: (service, { session, wait, confirmed }: LateParams, { signal }) => {
			const { late } = service.session(session);
			late.confirm(confirmed);
			return late.take(Number(wait) || 0, signal);
		},
	},
	known_name: {
		strings: ["cwd", "name"],
		run: (service, { name, ...caller }: KnownNameParams, source) =>
			knownName(name, operationContextFor(operationCallFor(service, caller, source, known)), (input) =>
				dispatch(service, "references", { ...caller, input }, source),
			),
	},
	await_change: { strings: ["cwd"], run: awaitChange },
	request: {
		strings: ["cwd", "method"],
		run: (service, params: RawRequestParams, source) =>
			rawRequest(operationCallFor(service, params, source, known), params),
	},
	prove_texts: {
		strings: ["cwd"],
		run: (service, params: ProveTextsParams, source) =>
			proveTexts(operationCallFor(service, params, source, known), params),
	},
	affected_by: {
		strings: ["cwd"],
		run: (service, params: AffectedByParams, source) =>
			affectedBy(operationCallFor(service, params, source, known), params),
	},
	commit: {
		strings: ["cwd", "plan"],
		run: (service, params: CommitParams, source) => commitChange(service, params, source),
	},
	trust: { strings: ["cwd"], run: (service, params: TrustParams, { env }) => trust(service, params, env) },
	destroy_server: {
		strings: [],
		run: async (service, { id, root }: DestroyServerParams) => ({
			stopped: await service.pool.stop((server) => (!id || server.id === id) && (!root || server.root === root)),
		}),
	},
};

export function notified(service: Service, method: string, params: unknown, env: EnvironmentSource): void {
	if (typeof params !== "object" || params === null) return;
	try {
		requireCaller(method, params);
		if (method === "baseline") {
			requireStrings(method, params, editParameters);
			void proveBaselineFor(service, params as BaselineParams, env);
		} else if (method === "command") commandBegins(service, params as CommandParams);
	} catch {}
}
