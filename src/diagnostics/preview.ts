import type { Diagnostic } from "../contract/check-report.ts";
import { locationKey } from "../impact/index/import-targets.ts";
import { importsOf } from "../impact/index/imports.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { Directories } from "../project/directories.ts";
import { languageOf } from "../project/file-match.ts";
import { abortReason } from "../util/abort.ts";
import { statOf } from "../util/files.ts";
import { anySource, maxSourceBytes, readHead, readText, withoutMark } from "../util/read-file.ts";
import { fixedIn, markNew, withoutMentions } from "./diff-diagnostics.ts";
import { explained } from "./explain/explain.ts";
import { hideFiles } from "./overlay/hide-files.ts";
import { languageIn, showTexts } from "./overlay/show-texts.ts";
import { documentOnDisk, notifyOfFile, type Proof, proofsAtOnce, proveDocument, proveOther } from "./sources/prove.ts";

export interface PreviewedFile {
	readonly proof: Proof;
	readonly diagnostics: readonly Diagnostic[];
	readonly fixed: readonly Diagnostic[];
}

interface Previewed {
	readonly files: ReadonlyMap<string, PreviewedFile>;
	/** Unknown until the edit is written. */
	readonly unknown: ReadonlySet<string>;
	/** False if files cannot be hidden. */
	readonly hides: boolean;
}

interface Previewing {
	readonly texts: ReadonlyMap<string, string>;
	readonly gone: ReadonlySet<string>;
	readonly edited: readonly string[];
	/** Nearest first. */
	readonly others: readonly string[];
	/** By performance.now(), for other files. */
	readonly until: number;
	readonly workspace: string;
	readonly declarations: boolean;
}

const shareBefore = 0.5;

/** No other caller sees the overlay. A file whose proof fails is left out. */
export function preview(
	server: LanguageServer,
	{ texts, gone, edited, others, until, workspace, declarations }: Previewing,
	signal: AbortSignal,
): Promise<Previewed> {
	return server.turns.write(async () => {
		await server.catchUp(signal);
		const options = { signal, save: false, directories: new Directories() };
		const proveOnDisk = (path: string) => proveOther(server, path, languageIn(server, path), options);
		const created = new Set<string>();
		for (const path of texts.keys()) if (!(await statOf(path))) created.add(path);
		// 1. Prove what is on disk.
		const present = edited.filter((path) => !created.has(path));
		const before = await proofsOf(server, present, proveOnDisk, { signal });
		const begunAt = performance.now();
		const half = begunAt + (until - begunAt) * shareBefore;
		const othersBefore = await proofsOf(server, others, proveOnDisk, { signal, until: half });
		for (const [path, proof] of othersBefore) before.set(path, proof);
		// 2. Find a way to hide files that would be gone.
		const users = [...edited, ...others];
		const hide = () => hideFiles(server, gone, users, signal);
		const hidden = gone.size === 0 ? undefined : await withTexts(server, texts, { created }, hide);
		const unfound = new Set(await importersOnlyOnDisk(server, created, { texts, users }));
		const unknown = new Set([...(hidden?.unknown ?? []), ...unfound]);
		const shown = new Map([...texts, ...(hidden?.texts ?? [])]);
		// 3. Prove what would be.
		return withTexts(server, shown, { created, schemas: others.length > 0 }, async (isWhole) => {
			const proveOverlaid = async (path: string) => {
				const document = shown.has(path) ? server.documents.get(path) : undefined;
				return document ? proveDocument(server, document, options) : proveOnDisk(path);
			};
			if (!isWhole) for (const path of others) unknown.add(path);
			const comparable = [...othersBefore.keys()].filter((path) => !unknown.has(path));
			const after = [
				...(await proofsOf(server, edited, proveOverlaid, { signal })),
				...(await proofsOf(server, comparable, proveOverlaid, { signal, until })),
			];
			const files = new Map<string, PreviewedFile>();
			const names = new Map([...created].map((path) => [path, new Set<string>()]));
			for (const [path, found] of after) {
				const proof = hidden?.restored(found) ?? found;
				const old = before.get(path) ?? (created.has(path) ? { ...proof, text: "", diagnostics: [] } : undefined);
				if (!old || hidden?.unknown.has(path)) continue;
				const all = markNew(old, proof);
				const marked = unfound.has(path) ? withoutMentions({ ...proof, diagnostics: all }, names) : all;
				const about = { proof, diagnostics: marked };
				const inTurn = (work: () => Promise<void>) => work();
				const diagnostics = texts.has(path)
					? await explained(server, about, { workspace, signal, declarations, inTurn })
					: marked;
				files.set(path, { proof, diagnostics, fixed: fixedIn(old, proof) });
			}
			return { files, unknown, hides: gone.size === 0 || hidden !== undefined };
		});
	});
}

async function importersOnlyOnDisk(
	server: LanguageServer,
	created: ReadonlySet<string>,
	{ texts, users }: { readonly texts: ReadonlyMap<string, string>; readonly users: readonly string[] },
): Promise<string[]> {
	if (!server.config.findsModulesOnDisk || created.size === 0) return [];
	const found = users.map(async (path) => {
		const text = texts.get(path) ?? (await readText(path, anySource)) ?? "";
		const imported = [...importsOf(text, path).keys()];
		const isImported = (module = "") => imported.some((key) => module === key || module.endsWith(`/${key}`));
		return [...created].some((other) => other !== path && isImported(locationKey(other))) ? path : [];
	});
	return (await Promise.all(found)).flat();
}

/** As on disk; a server's text has no byte order mark. */
export async function bytesOf({ path, text }: Proof): Promise<Buffer> {
	const found = await readHead(path, maxSourceBytes);
	const isSame = typeof found !== "string" && withoutMark(found.toString("utf8")) === text;
	return isSame ? found : Buffer.from(text);
}

export function inTurnWithTexts<T>(
	server: LanguageServer,
	texts: ReadonlyMap<string, string>,
	signal: AbortSignal,
	work: () => Promise<T>,
): Promise<T> {
	return server.turns.write(async () => {
		await server.catchUp(signal);
		const created = new Set<string>();
		for (const path of texts.keys()) {
			if (!(await statOf(path))) created.add(path);
			// Opening it for each question makes servers load its project each time.
			else await documentOnDisk(server, path, languageOf(server.config, path)).catch(() => {});
		}
		return withTexts(server, texts, { created }, work);
	});
}

export function proveWithTexts(
	server: LanguageServer,
	texts: ReadonlyMap<string, string>,
	files: readonly string[],
	{ signal, hints }: { readonly signal: AbortSignal; readonly hints: boolean },
): Promise<Map<string, Proof>> {
	const options = { signal, hints, save: false, directories: new Directories() };
	const prove = (path: string) => {
		const document = texts.has(path) ? server.documents.get(path) : undefined;
		if (document) return proveDocument(server, document, options);
		return proveOther(server, path, languageOf(server.config, path), options);
	};
	return inTurnWithTexts(server, texts, signal, () => proofsOf(server, files, prove, { signal }));
}

/** Files of `created` are not on disk. `work` gets whether all are shown. */
export async function withTexts<T>(
	server: LanguageServer,
	texts: ReadonlyMap<string, string>,
	{ created, schemas = false }: { readonly created: ReadonlySet<string>; readonly schemas?: boolean },
	work: (isWhole: boolean) => Promise<T>,
): Promise<T> {
	// TypeScript 7 looks for an imported file again only after a notification.
	for (const path of created) notifyOfFile(server, path, "created");
	let shown: Awaited<ReturnType<typeof showTexts>> | undefined;
	try {
		shown = await showTexts(server, texts, { schemas });
		return await work(shown.isWhole);
	} finally {
		await shown?.restore();
		for (const path of created) notifyOfFile(server, path, "deleted");
	}
}

async function proofsOf(
	server: LanguageServer,
	paths: readonly string[],
	prove: (path: string) => Promise<Proof>,
	{ signal, until = Number.POSITIVE_INFINITY }: { readonly signal: AbortSignal; readonly until?: number },
): Promise<Map<string, Proof>> {
	const width = proofsAtOnce(server);
	const proofs = new Map<string, Proof>();
	for (let at = 0; at < paths.length && performance.now() < until; at += width) {
		const batch = paths.slice(at, at + width).map(async (path) => {
			const proof = await prove(path).catch((error: unknown) => {
				if (isCrash(error)) throw error;
				return undefined;
			});
			if (proof) proofs.set(path, proof);
		});
		await Promise.all(batch);
		if (signal.aborted) throw abortReason(signal);
	}
	return proofs;
}

function isCrash(error: unknown): boolean {
	return error instanceof Error && "code" in error && error.code === "LSP_SERVER_CRASHED";
}
