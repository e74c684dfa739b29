import { asLspError, type ErrorCode, LspError } from "../errors.ts";
import {
	type CheckReport,
	type Diagnostic,
	type FileReport,
	type ServerReport,
	type State,
	worst,
} from "../findings.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Metrics } from "../util/metrics.ts";
import { Recent } from "../util/recent.ts";
import { displayPath, type Located, type Route } from "../workspace/locate.ts";
import type { EnvironmentSource, Pool } from "../workspace/pool.ts";
import { usersOf } from "./affected.ts";
import { markNew } from "./carry.ts";
import { mergeDiagnostics } from "./convert.ts";
import { type Baseline, Ledger } from "./ledger.ts";
import { ProofQueue } from "./proof-queue.ts";
import { type Proof, proveDocument, proveOther, strategyOf, withDisk } from "./prove.ts";
import { pushedPaths } from "./push.ts";
import { compareShapes, readSignatures, type Shape, type ShapeChange, shapeOf, touchedBy } from "./shape.ts";

/** Whom a check is for. */
export interface CheckContext {
	readonly cwd: string;
	readonly env: EnvironmentSource;
	/** Ends the waiting; what is not proven by then is `timed_out`. */
	readonly signal: AbortSignal;
	readonly ledger: Ledger;
	/** The tool call that made the edit; its baseline is the one to compare with. */
	readonly call: string | undefined;
	/** True if suggestions count too. */
	readonly hints?: boolean;
}

/** What is known of one server's view of one file and of the files that depend on it. */
interface Finding {
	readonly server: ServerReport;
	readonly reason?: string;
	readonly diagnostics: readonly Diagnostic[];
	readonly others: readonly OtherFinding[];
	/** Files that were not reached in time. */
	readonly missed: number;
}

interface OtherFinding {
	readonly path: string;
	readonly state: State;
	readonly diagnostics: readonly Diagnostic[];
}

/** Proves what is wrong in files, and which of it is new (design.md section 4). */
export class Checker {
	readonly #pool: Pool;
	readonly #metrics: Metrics | undefined;

	constructor(pool: Pool, metrics?: Metrics) {
		this.#pool = pool;
		this.#metrics = metrics;
	}

	/**
	 * Proves the text of a file before an edit: `text` undefined means that it did not exist. With `next`, the text
	 * that the edit is going to write, the signatures that it touches are read as well. Starts the server if need be.
	 * The ledger knows of it before this returns; what cannot be proven is no baseline.
	 */
	baseline(located: Located, text: string | undefined, next: string | undefined, context: CheckContext): Promise<void> {
		const { call = "", env, ledger, signal } = context;
		const baselines = located.routes.map((route) => {
			const baseline = this.#pool.use(route, located.workspace, env, signal, (server) =>
				proveBaseline(server, route, located.path, text, next, context),
			);
			ledger.expect(baselineKey(call, located.path, route), baseline);
			return baseline;
		});
		return Promise.allSettled(baselines).then(() => {});
	}

	/** Checks one file on disk with all its servers in parallel; with `affected` also the files that it may have broken. */
	async check(located: Located, scope: "file" | "affected", context: CheckContext): Promise<CheckReport> {
		const findings = await Promise.all(located.routes.map((route) => this.#ask(located, route, scope, context)));
		const reasons = findings.flatMap(({ reason }) => reason ?? []);
		const own: FileReport = {
			path: located.display,
			role: "edited",
			state: findings.map(({ server }) => server.state).reduce(worst),
			...(reasons.length ? { reason: reasons.join(" ") } : {}),
			diagnostics: mergeDiagnostics(findings.map(({ diagnostics }) => diagnostics)),
		};
		return {
			files: [own, ...mergeOthers(findings, context.cwd)],
			servers: findings.map(({ server }) => server),
			omitted: { diagnostics: 0, files: findings.reduce((sum, { missed }) => sum + missed, 0) },
		};
	}

	async #ask(located: Located, route: Route, scope: "file" | "affected", context: CheckContext): Promise<Finding> {
		const began = performance.now();
		let server: LanguageServer | undefined;
		const report = (state: State): ServerReport => ({
			id: route.config.id,
			...(server?.version ? { version: server.version } : {}),
			root: route.root,
			strategy: server ? strategyOf(server) : (route.config.strategy ?? "push"),
			state,
			ms: Math.round((performance.now() - began) * 10) / 10,
		});
		try {
			const { env, signal } = context;
			const prove = async (running: LanguageServer): Promise<Finding> => {
				server = running;
				const edit = await this.#proveEdit(running, located, route, scope, context);
				const diagnostics = edit.ledger.judge(proofKey(located.path, route), edit.baseline?.proof, edit.now);
				const own = { server: report("fresh"), diagnostics };
				this.#metrics?.checked(route.config.id, own.server.ms, diagnostics.length);
				if (scope === "file") return { ...own, others: [], missed: 0 };
				return { ...own, ...(await askOthers(running, route, located, edit, context)) };
			};
			return await this.#pool.use(route, located.workspace, env, signal, prove, { path: located.path });
		} catch (thrown) {
			const error = asLspError(thrown);
			const state = stateOf(error.code);
			if (!state) throw error;
			if (state === "timed_out") this.#metrics?.add(route.config.id, "timeouts");
			return { server: report(state), reason: error.message, diagnostics: [], others: [], missed: 0 };
		}
	}

	async #proveEdit(
		server: LanguageServer,
		{ path }: Located,
		route: Route,
		scope: "file" | "affected",
		{ call, ledger, signal, hints = false }: CheckContext,
	): Promise<Edit> {
		const handed = call === undefined ? undefined : await ledger.take(baselineKey(call, path, route), call);
		return server.turns.read(async () => {
			await Promise.all([server.fresh(signal), server.documents.refresh(path)]);
			return server.documents.exclusively(path, async () => {
				const last = lastStates.get(server)?.get(path);
				return withDisk(server, path, route.languageId, async (document): Promise<Edit> => {
					const { told } = server;
					// A caller that hands nothing over (the command line, a shell command) is compared with what was proven last;
					// the same text again is no edit, and nothing is said of new or old.
					const baseline = handed ?? (last?.proof.hash === document.hash ? undefined : last);
					const [now, seen] = await Promise.all([
						proveDocument(server, document, { signal, hints }),
						scope === "affected" ? lookAt(server, document, baseline, signal) : undefined,
					]);
					remember(server, told, { proof: now, shape: seen?.shape });
					return { baseline, now, ...seen, ledger: call === undefined ? new Ledger() : ledger };
				});
			});
		});
	}
}

/** A file before and after, as one server sees it. */
interface Edit {
	readonly baseline: Baseline | undefined;
	readonly now: Proof;
	/** What others see of it now, and how that differs; only where they are asked for. */
	readonly shape?: Shape;
	readonly change?: ShapeChange;
	readonly ledger: Ledger;
}

/** Reads the shape of a document and compares it, while its diagnostics are asked for beside it. */
async function lookAt(
	server: LanguageServer,
	document: OpenDocument,
	baseline: Baseline | undefined,
	signal: AbortSignal,
): Promise<Pick<Edit, "shape" | "change">> {
	const shape = await shapeOf(server, document, signal);
	if (!shape) return {};
	if (baseline?.shape) return { shape, change: await compareShapes(server, baseline.shape, shape, signal) };
	return { shape, change: { changed: baseline ? [] : [...shape.symbols.keys()], removed: [] } };
}

/** The last state of each document that was proven, and how much the server had been told by then. */
const lastStates = new WeakMap<LanguageServer, Recent<Baseline & { readonly told: number }>>();

function remember(server: LanguageServer, told: number, state: Baseline): void {
	const states = lastStates.get(server) ?? new Recent(50);
	lastStates.set(server, states);
	states.set(state.proof.path, { ...state, told });
}

/** The state of a document if nothing was told to its server since it was proven: the next edit's baseline, for free. */
function recall(server: LanguageServer, { path, hash }: OpenDocument): Baseline | undefined {
	const state = lastStates.get(server)?.get(path);
	return state?.shape && state.told === server.told && state.proof.hash === hash ? state : undefined;
}

async function proveBaseline(
	server: LanguageServer,
	{ languageId }: Route,
	path: string,
	text: string | undefined,
	next: string | undefined,
	{ signal, hints = false }: CheckContext,
): Promise<Baseline> {
	if (text === undefined) return { proof: { path, text: "", hash: "", diagnostics: [] }, shape: undefined };
	return server.turns.read(async () => {
		await server.fresh(signal);
		return server.documents.exclusively(path, async () => {
			const document = server.documents.set(path, languageId, text);
			const known = recall(server, document);
			if (!known && readsDisk(server))
				throw new LspError("LSP_UNSUPPORTED_REQUEST", `${server.config.id} checks what is on disk, not what was.`);
			const [proof, shape] = known
				? [known.proof, known.shape]
				: await Promise.all([proveDocument(server, document, { signal, hints }), shapeOf(server, document, signal)]);
			if (shape && next !== undefined) await readSignatures(server, shape, touchedBy(shape, next), signal);
			return { proof, shape };
		});
	});
}

/**
 * Finds the files that an edit may have broken and proves them:
 * 1. what looks different from outside, by comparing shapes; nothing different, nothing asked;
 * 2. who uses that, on the new text, and on the old text for what is gone;
 * 3. what is wrong in those files, nearest first, until the time is up;
 * 4. which of it is new, by asking the same files on the old text, only if something is wrong.
 */
async function askOthers(
	server: LanguageServer,
	route: Route,
	{ path, workspace }: Located,
	{ baseline, now, shape, change }: Edit,
	{ signal, hints = false }: CheckContext,
): Promise<{ others: OtherFinding[]; missed: number }> {
	if (!shape || !change) return { others: [], missed: 0 };
	const before = readsDisk(server) ? undefined : baseline?.shape;
	const asking = { signal, hints, save: false };
	const queue = new ProofQueue((other) => proveOther(server, other, route.languageId, asking), signal);
	const proofs = await server.turns.read(async () => {
		await usersOf(server, shape, change.changed, workspace, signal, (other) => queue.add(other));
		// A check of the whole project has told of others by itself.
		if (readsDisk(server)) for (const other of pushedPaths(server)) if (other !== path) queue.add(other);
		return queue.done();
	});
	if (before && change.removed.length > 0) {
		const gone = await onOldText(server, route, path, before.document.text, now, () =>
			usersOf(server, before, change.removed, workspace, signal),
		);
		const all = await server.turns.read(() => {
			for (const other of gone) queue.add(other);
			return queue.done();
		});
		proofs.splice(0, proofs.length, ...all);
	}
	const failing = proofs.filter(({ diagnostics }) => diagnostics.some(({ severity }) => severity === "error"));
	const old =
		before && failing.length > 0
			? await onOldText(server, route, path, before.document.text, now, () => {
					const earlier = new ProofQueue((other) => proveOther(server, other, route.languageId, asking), signal);
					for (const proof of failing) earlier.add(proof.path);
					return earlier.done();
				})
			: [];
	const others = proofs.map((proof): OtherFinding => {
		const earlier = old.find((candidate) => candidate.path === proof.path);
		return { path: proof.path, state: "fresh", diagnostics: earlier ? markNew(earlier, proof) : proof.diagnostics };
	});
	return { others, missed: queue.size - proofs.length };
}

/** True for a server whose findings come from a run over the disk: no text that is not there can be asked about. */
function readsDisk(server: LanguageServer): boolean {
	return strategyOf(server) === "flycheck";
}

/** Lets `work` ask the server as it was before the edit. Nobody else asks meanwhile, and the true text is put back. */
function onOldText<T>(
	server: LanguageServer,
	{ languageId }: Route,
	path: string,
	old: string,
	now: Proof,
	work: () => Promise<T[]>,
): Promise<T[]> {
	return server.turns.write(async () => {
		// Another edit has been checked since: the old text is then no longer what to compare with.
		if (server.documents.get(path)?.hash !== now.hash) return [];
		server.documents.set(path, languageId, old);
		try {
			return await work();
		} finally {
			server.documents.set(path, languageId, now.text);
		}
	});
}

function mergeOthers(findings: readonly Finding[], cwd: string): FileReport[] {
	const byPath = new Map<string, OtherFinding[]>();
	for (const other of findings.flatMap(({ others }) => others))
		byPath.set(other.path, [...(byPath.get(other.path) ?? []), other]);
	return [...byPath]
		.map(
			([path, others]): FileReport => ({
				path: displayPath(path, cwd),
				role: "affected",
				state: others.map(({ state }) => state).reduce(worst),
				diagnostics: mergeDiagnostics(others.map(({ diagnostics }) => diagnostics)),
			}),
		)
		.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The state that a failure means for a file, or undefined if it is the caller's mistake and told as such. */
export function stateOf(code: ErrorCode): State | undefined {
	switch (code) {
		case "LSP_FILE_TOO_LARGE":
			return "too_large";
		case "LSP_BINARY_FILE":
			return "binary";
		case "LSP_UNSUPPORTED_FILE":
		case "LSP_UNSUPPORTED_REQUEST":
		case "LSP_SERVER_DISABLED":
		case "LSP_DISABLED":
			return "unsupported";
		case "LSP_SERVER_UNTRUSTED":
			return "untrusted";
		case "LSP_SERVER_TIMEOUT":
		case "LSP_CANCELLED":
		case "LSP_FILE_NOT_INDEXED":
			return "timed_out";
		case "LSP_SERVER_UNAVAILABLE":
		case "LSP_SERVER_START_FAILED":
		case "LSP_SERVER_CRASHED":
		case "LSP_SERVER_ERROR":
		case "LSP_PREREQUISITE_MISSING":
		case "LSP_NO_PROJECT_ROOT":
			return "unavailable";
		default:
			return undefined;
	}
}

function baselineKey(call: string, path: string, { config }: Route): string {
	return JSON.stringify([call, path, config.id]);
}

function proofKey(path: string, { config }: Route): string {
	return JSON.stringify([path, config.id]);
}
