import { atLeast, type FileReport, type Severity, severities } from "../../contract/check-report.ts";
import { asLspError, type ErrorValue, LspError, reasonOf } from "../../contract/errors.ts";
import type { ProvenFile, ProveTextsParams, ProveTextsResult } from "../../contract/protocol.ts";
import { EditSession } from "../../diagnostics/edit-session.ts";
import { stateOfError } from "../../diagnostics/file-state.ts";
import { UnopenedFiles } from "../../diagnostics/known-states.ts";
import { proveWithTexts } from "../../diagnostics/preview.ts";
import { ownReport, type ServerFinding, ServerFindings } from "../../diagnostics/reports.ts";
import { readsDisk } from "../../diagnostics/sources/prove.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { entryKey } from "../../pool/server-entry.ts";
import { textsFor } from "../../query/run.ts";
import type { Located, Route } from "../../routing/locate.ts";
import { deadline } from "../../util/abort.ts";
import type { OperationCall } from "../operation-context.ts";
import { unsavedTexts } from "./unsaved-texts.ts";

const workMs = 300_000;

interface Asked {
	readonly texts: ReadonlyMap<string, string>;
	readonly severity: Severity;
	readonly unopened: UnopenedFiles | undefined;
	readonly signal: AbortSignal;
}

/** Unsaved texts take one turn per server. */
export async function proveTexts(call: OperationCall, params: ProveTextsParams): Promise<ProveTextsResult> {
	const { files, severity } = params;
	if (!Array.isArray(files)) throw new LspError("LSP_INVALID_INPUT", "prove_texts: files: Expected an array.");
	if (!severities.includes(severity))
		throw new LspError("LSP_INVALID_INPUT", `prove_texts: severity: Expected one of ${severities.join(", ")}.`);
	const settings = await call.settings();
	const unsaved = await unsavedTexts(params.texts, { cwd: settings.directory, maxBytes: settings.maxFileBytes });
	const { texts } = unsaved;
	const limit = deadline(workMs, () => new LspError("LSP_SERVER_TIMEOUT", "not proven in time"), call.signal);
	const unopened = params.unopened === true ? new UnopenedFiles() : undefined;
	const asked = { texts, severity, unopened, signal: limit.signal };
	try {
		const places = await Promise.all(files.map((file) => locate(call, String(file), unsaved)));
		const overlaid = places.filter((place): place is Located => isLocated(place) && seesTexts(place, texts));
		const findings = findingsWithTexts(call, overlaid, asked);
		const proven = places.map(async (place): Promise<ProvenFile> => {
			if (!isLocated(place)) return place;
			if (!overlaid.includes(place)) return provenOnDisk(call, place, asked);
			return provenFile(ownReport(place, (await findings).get(place.path) ?? []), severity);
		});
		return { files: await Promise.all(proven) };
	} finally {
		limit.end();
	}
}

async function locate(
	{ service, params }: OperationCall,
	file: string,
	{ texts, check }: Awaited<ReturnType<typeof unsavedTexts>>,
): Promise<Located | ProvenFile> {
	try {
		const { located } = await service.locate(file, params, { mayBeMissing: true });
		check(located.path);
		if (!located.missing || texts.has(located.path)) return located;
		return unproven(new LspError("LSP_FILE_NOT_FOUND", `${located.display} does not exist.`));
	} catch (thrown) {
		return unproven(thrown);
	}
}

function isLocated(place: Located | ProvenFile): place is Located {
	return "routes" in place;
}

function seesTexts({ path, routes }: Located, texts: ReadonlyMap<string, string>): boolean {
	return routes.some((route) => textsFor(route, path, texts).size > 0);
}

async function provenOnDisk(
	{ service, params, env }: OperationCall,
	located: Located,
	{ severity, unopened, signal }: Asked,
): Promise<ProvenFile> {
	const session = new EditSession();
	try {
		const context = { cwd: params.cwd, env, signal, session, call: undefined, hints: severity === "hint" };
		const plain = { ...context, declarations: false, until: 0 };
		const report = await service.checker.check(located, "file", unopened ? { ...plain, unopened } : plain);
		const [own] = report.files;
		return own ? provenFile(own, severity) : unproven(new Error("no report"));
	} catch (thrown) {
		return unproven(thrown);
	} finally {
		session.close();
	}
}

async function findingsWithTexts(
	call: OperationCall,
	places: readonly Located[],
	asked: Asked,
): Promise<ReadonlyMap<string, readonly ServerFinding[]>> {
	const groups = new Map<string, { readonly route: Route; readonly places: Located[] }>();
	for (const place of places)
		for (const route of place.routes) {
			if (route.config.diagnoses === false && place.routes.length > 1) continue;
			const group = groups.get(entryKey(route)) ?? { route, places: [] };
			groups.set(entryKey(route), group);
			group.places.push(place);
		}
	const found = await Promise.all([...groups.values()].map((group) => findingsAt(call, group, asked)));
	return new Map(places.map(({ path }) => [path, found.flatMap((byPath) => byPath.get(path) ?? [])]));
}

async function findingsAt(
	{ service, env }: OperationCall,
	{ route, places }: { readonly route: Route; readonly places: readonly Located[] },
	{ texts, severity, signal }: Asked,
): Promise<ReadonlyMap<string, ServerFinding>> {
	const findings = new ServerFindings(route);
	const paths = places.map(({ path }) => path);
	const forAll = (finding: ServerFinding) => new Map(paths.map((path) => [path, finding]));
	const unsupported = findings.unsupported();
	if (unsupported) return forAll(unsupported);
	const failed = (error: LspError, server: LanguageServer | undefined) =>
		findings.failed(error, stateOfError(error.code) ?? "unavailable", server);
	const { id } = route.config;
	const judge = async (server: LanguageServer) => {
		if (readsDisk(server))
			throw new LspError("LSP_FILE_NOT_INDEXED", `${id} checks what is on disk, so it knows only when it is saved.`);
		const own = new Map(paths.flatMap((path) => [...textsFor(server, path, texts)]));
		const proofs = await proveWithTexts(server, own, paths, { signal, hints: severity === "hint" });
		const unproven = new LspError("LSP_SERVER_ERROR", `${id} gave no proof.`);
		return new Map(
			paths.map((path) => {
				const proof = proofs.get(path);
				return [path, proof ? findings.proven(server, proof) : failed(unproven, server)];
			}),
		);
	};
	const workspace = places[0]?.workspace ?? "";
	try {
		return await service.pool.use(route, { workspace, env, signal }, judge);
	} catch (thrown) {
		return forAll(failed(asLspError(thrown), service.pool.running(route)));
	}
}

function provenFile({ state, reason, error, diagnostics }: FileReport, least: Severity): ProvenFile {
	return {
		state,
		...(reason === undefined ? {} : { reason }),
		...(error === undefined ? {} : { error: error as ErrorValue }),
		diagnostics: diagnostics.filter(({ severity }) => atLeast(severity, least)),
	};
}

function unproven(thrown: unknown): ProvenFile {
	const error = asLspError(thrown);
	return {
		state: stateOfError(error.code) ?? "unsupported",
		reason: reasonOf(error),
		error: error.toJSON(),
		diagnostics: [],
	};
}
