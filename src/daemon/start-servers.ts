import type { Settings } from "../config/read-settings.ts";
import { asLspError, type ErrorValue, LspError, reviveError } from "../contract/errors.ts";
import { isOwnAddress } from "../process/socket.ts";
import { workspaceOf } from "../project/root.ts";
import type { CallContext } from "../query/run.ts";
import { locate, type Route } from "../routing/locate.ts";
import { surveyLanguages } from "../routing/survey-languages.ts";
import type { OperationCall } from "./operation-context.ts";
import { displayDirectory } from "./workspace-control.ts";

export interface Started {
	readonly server: string;
	readonly root: string;
	readonly version?: string;
	/** Near 0 for a running server. */
	readonly ms: number;
	/** The project is read; only with `readyMs`. */
	readonly ready?: boolean;
	readonly error?: ErrorValue;
}

export interface StartOptions {
	readonly language: string | undefined;
	readonly connect: string | undefined;
	readonly readyMs: number | undefined;
}

const maxLanguages = 16;

/**
 * With `connect`, the workspace's callers use the server at that address until a start without it. Rejects with
 * LSP_UNSUPPORTED_FILE, LSP_INVALID_INPUT, LSP_NEEDS_PERSON, or the connection's error.
 */
export async function startServers(
	{ service, params, settings }: OperationCall,
	context: CallContext,
	directory: string,
	options: StartOptions,
): Promise<Started[]> {
	const { cwd } = context;
	const { connect, readyMs } = options;
	const [found, workspace] = await Promise.all([settings(), workspaceOf(cwd)]);
	const samples = await samplesIn(context, directory, found, options);
	if (connect !== undefined) await requireAllowed(connect, found, params.permits?.connect, workspace);
	const routes = await routesOf(samples, found);
	const [own] = routes;
	if (connect !== undefined && own) {
		const started = await startOne(context, { ...own, config: { ...own.config, connect } }, workspace, readyMs);
		if (started.error) throw reviveError(started.error, "the connection failed");
		service.connect(workspace, own.config.id, connect);
		return [started];
	}
	const disconnected = routes.filter(({ config }) => service.connect(workspace, config.id, undefined));
	const started = disconnected.length > 0 ? await routesOf(samples, await service.settings(params)) : routes;
	return Promise.all(started.map((route) => startOne(context, route, workspace, readyMs)));
}

async function requireAllowed(
	address: string,
	{ connectAllowed }: Settings,
	permitted: string | undefined,
	workspace: string,
): Promise<void> {
	if (connectAllowed.includes(address)) return;
	const listed = `"connectAllowed": [${JSON.stringify(address)}] in the user's own configuration`;
	if (!(await isOwnAddress(address)))
		throw new LspError(
			"LSP_NEEDS_PERSON",
			`${address} is neither on this machine nor a socket of this user: it would be sent the source of ${workspace}.`,
			{ suggestion: `Tell the person: only ${listed} allows that.` },
		);
	if (permitted === address) return;
	const what = `Whoever listens on ${address} would be sent the source of ${workspace}, and what it says would count as the compiler's word`;
	throw new LspError("LSP_NEEDS_PERSON", `${what}: a person has to allow it.`, {
		question: `${what}. Connect to it?`,
		permits: { connect: address },
		suggestion: `Ask the person whether they want that. They allow it with ${listed}, or by running \`pi-lsp start --language … --connect ${address}\` in a terminal.`,
	});
}

async function samplesIn(
	{ cwd, signal }: CallContext,
	directory: string,
	{ servers }: Settings,
	{ language, connect }: StartOptions,
): Promise<string[]> {
	const { languages } = await surveyLanguages(directory, servers, signal);
	const chosen = languages.filter(({ id }) => language === undefined || id === language);
	const names = languages.map(({ id }) => id).join(", ") || "no language";
	const shown = displayDirectory(directory, cwd);
	if (chosen.length === 0)
		throw new LspError(
			"LSP_UNSUPPORTED_FILE",
			language === undefined
				? `There is no file in ${shown} that a server knows.`
				: `There is no ${language} file in ${shown}: ${names} is there.`,
		);
	if (connect !== undefined && chosen.length > 1)
		throw new LspError("LSP_INVALID_INPUT", `connect needs a language, one of ${names}.`);
	return chosen.slice(0, maxLanguages).flatMap(({ samples }) => [...samples.values()].slice(0, 1));
}

async function routesOf(files: readonly string[], settings: Settings): Promise<Route[]> {
	const located = await Promise.allSettled(files.map((file) => locate(file, settings)));
	const routes = located.flatMap((result) => (result.status === "fulfilled" ? result.value.routes : []));
	const refused = located.find((result) => result.status === "rejected");
	if (routes.length === 0 && refused) throw refused.reason;
	return [...new Map(routes.map((route) => [`${route.config.id} ${route.root}`, route])).values()];
}

async function startOne(
	{ service, cwd, env, signal }: CallContext,
	route: Route,
	workspace: string,
	readyMs: number | undefined,
): Promise<Started> {
	const begun = performance.now();
	const about = { server: route.config.id, root: displayDirectory(route.root, cwd) };
	const since = () => Math.round(performance.now() - begun);
	try {
		return await service.pool.use(route, { workspace, env, signal }, async ({ version, readiness }) => {
			const started = { ...about, ...(version ? { version } : {}), ms: since() };
			if (readyMs === undefined) return started;
			await readiness.settled(readyMs, signal);
			return { ...started, ready: readiness.busy === undefined };
		});
	} catch (thrown) {
		signal.throwIfAborted();
		return { ...about, ms: since(), error: asLspError(thrown).toJSON() };
	}
}
