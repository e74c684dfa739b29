import type { Settings } from "../config/read-settings.ts";
import { asLspError, type ErrorValue, LspError } from "../contract/errors.ts";
import type { Permits } from "../contract/protocol.ts";
import { isOwnAddress } from "../process/socket.ts";
import { workspaceOf } from "../project/root.ts";
import type { CallContext } from "../query/run.ts";
import { locate, type Route } from "../routing/locate.ts";
import { surveyLanguages } from "../routing/survey-languages.ts";

/** What became of a server that was to be started. */
export interface Started {
	readonly server: string;
	readonly root: string;
	readonly version?: string;
	/** Milliseconds until it had shaken hands; near 0 for one that ran already. */
	readonly ms: number;
	readonly error?: ErrorValue;
}

export interface StartOptions {
	readonly language: string | undefined;
	readonly connect: string | undefined;
	/** What a person has said yes to. */
	readonly permits: Permits;
	/** Those of the call, and the same looked up anew. */
	readonly settings: () => Promise<Settings>;
	readonly settingsNow: () => Promise<Settings>;
	/** A directory as the caller reads it. */
	readonly shown: (directory: string) => string;
}

/** How many languages of a workspace are started when none is named. */
const maxLanguages = 4;

/** Starts the servers of a directory, or connects to one; see `WorkspaceControl.start`. */
export async function startServers(asker: CallContext, directory: string, options: StartOptions): Promise<Started[]> {
	const { service, cwd } = asker;
	const { connect, permits, settings, settingsNow } = options;
	const [found, workspace] = await Promise.all([settings(), workspaceOf(cwd)]);
	const samples = await samplesIn(asker, directory, found, options);
	if (connect !== undefined) await requireAllowed(connect, found, permits, workspace);
	const routes = await routesOf(samples, cwd, found);
	const start = (route: Route) => startOne(asker, route, workspace, options);
	// The language's own server comes first; beside a connection no linter is started.
	const [own] = routes;
	if (connect !== undefined && own) {
		const started = await start({ ...own, config: { ...own.config, connect } });
		// Where nobody listens, nothing has changed.
		if (!started.error) service.connect(workspace, own.config.id, connect);
		return [started];
	}
	const left = routes.filter(({ config }) => service.connect(workspace, config.id, undefined));
	return Promise.all((left.length > 0 ? await routesOf(samples, cwd, await settingsNow()) : routes).map(start));
}

/**
 * Whoever is connected to is told the workspace's source, and what it answers counts: that is for a person to decide, and
 * for another machine in writing. Throws LSP_NEEDS_PERSON.
 */
async function requireAllowed(
	address: string,
	{ connectAllowed }: Settings,
	permits: Permits,
	workspace: string,
): Promise<void> {
	if (connectAllowed.includes(address)) return;
	const listed = `"connectAllowed": [${JSON.stringify(address)}] in the user's own configuration`;
	if (!(await isOwnAddress(address)))
		throw new LspError(
			"LSP_NEEDS_PERSON",
			`${address} is neither on this machine nor a socket of this user: it would be told the source of ${workspace}.`,
			{ suggestion: `Tell the person: only ${listed} allows that.` },
		);
	if (permits.connect === address) return;
	const what = `Whoever listens on ${address} would be told the source of ${workspace}, and what it says would count as the compiler's word`;
	throw new LspError("LSP_NEEDS_PERSON", `${what}: a person has to allow it.`, {
		question: `${what}. Connect to it?`,
		permits: { connect: address },
		suggestion: `Ask the person whether they want that. They allow it with ${listed}, or by running \`pi-lsp start --language … --connect ${address}\` in a terminal.`,
	});
}

/** A file of each language that is to be started. */
async function samplesIn(
	{ signal }: CallContext,
	directory: string,
	{ servers }: Settings,
	{ language, connect, shown }: StartOptions,
): Promise<string[]> {
	const { languages } = await surveyLanguages(directory, servers, signal);
	const chosen = languages.filter(({ id }) => language === undefined || id === language);
	const names = languages.map(({ id }) => id).join(", ") || "no language";
	if (chosen.length === 0)
		throw new LspError(
			"LSP_UNSUPPORTED_FILE",
			language === undefined
				? `There is no file in ${shown(directory)} that a server knows.`
				: `There is no ${language} file in ${shown(directory)}: ${names} is there.`,
		);
	if (connect !== undefined && chosen.length > 1)
		throw new LspError("LSP_INVALID_INPUT", `start: connect needs a language, one of ${names}.`);
	return chosen.slice(0, maxLanguages).flatMap(({ samples }) => [...samples.values()].slice(0, 1));
}

/** The routes of some files, each once; rejects as `locate` where there are none. */
async function routesOf(files: readonly string[], cwd: string, settings: Settings): Promise<Route[]> {
	const located = await Promise.allSettled(files.map((file) => locate(file, cwd, settings)));
	const routes = located.flatMap((result) => (result.status === "fulfilled" ? result.value.routes : []));
	const refused = located.find((result) => result.status === "rejected");
	if (routes.length === 0 && refused) throw refused.reason;
	return [...new Map(routes.map((route) => [`${route.config.id} ${route.root}`, route])).values()];
}

async function startOne(
	{ service, env, signal }: CallContext,
	route: Route,
	workspace: string,
	{ shown }: StartOptions,
): Promise<Started> {
	const begun = performance.now();
	const about = { server: route.config.id, root: shown(route.root) };
	const since = () => Math.round(performance.now() - begun);
	try {
		const version = await service.pool.use(route, { workspace, env, signal }, async (server) => server.version);
		return { ...about, ...(version ? { version } : {}), ms: since() };
	} catch (thrown) {
		signal.throwIfAborted();
		return { ...about, ms: since(), error: asLspError(thrown).toJSON() };
	}
}
