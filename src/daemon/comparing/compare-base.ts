import {
	atLeast,
	type CheckReport,
	type Diagnostic,
	type FileReport,
	type Severity,
} from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import { Background } from "../../diagnostics/background.ts";
import { markNew } from "../../diagnostics/diff-diagnostics.ts";
import { mergeDiagnostics } from "../../diagnostics/merge-diagnostics.ts";
import { type Proof, readsDisk } from "../../diagnostics/sources/prove.ts";
import type { LanguageServer } from "../../lsp/server.ts";
import { matchesName } from "../../project/file-match.ts";
import type { Located } from "../../routing/locate.ts";
import { deadline } from "../../util/abort.ts";
import type { LruMap } from "../../util/lru-map.ts";
import { isInside } from "../../util/paths.ts";
import { anySource, readText } from "../../util/read-file.ts";
import type { OperationCall } from "../operation-context.ts";
import { type TextsBefore, textsBefore } from "./texts-before.ts";

export interface Base {
	readonly text: string;
	readonly diagnostics: readonly Diagnostic[];
	/** False if diagnostics may be the conversation's. */
	readonly isBefore: boolean;
}

const maxCompared = 100;

interface Failing {
	readonly file: FileReport;
	readonly located: Located;
	readonly text: string;
}

/**
 * Since the revision, the conversation's beginning, or HEAD. `located` is by displayed path. Only a conversation keeps
 * less severe diagnostics.
 */
export async function compareWithBase(
	call: OperationCall,
	report: CheckReport,
	located: ReadonlyMap<string, Located>,
	{ since, severity }: { readonly since?: string | undefined; readonly severity: Severity },
): Promise<CheckReport> {
	const conversation = since === undefined ? call.params.conversation : undefined;
	const bases = conversation && call.service.session(conversation.id).bases;
	const plain = report.files.map((file) => (file.role === "edited" ? withoutMarks(file) : file));
	const failing: Failing[] = [];
	for (const file of plain) {
		const place = file.role === "edited" ? located.get(file.path) : undefined;
		if (!place || (file.diagnostics.length === 0 && (!bases || file.state !== "fresh"))) continue;
		if (!bases && !file.diagnostics.some((each) => atLeast(each.severity, severity))) continue;
		const text = await readText(place.path, anySource);
		if (text === undefined) continue;
		if (file.diagnostics.length > 0) failing.push({ file, located: place, text });
		else if (!bases?.get(place.path)) bases?.set(place.path, { text, diagnostics: [], isBefore: true });
	}
	if (failing.length === 0) return { ...report, files: plain };
	const marked = await markAll(call, failing, bases, since);
	return { ...report, files: plain.map((file) => marked.get(file) ?? file) };
}

function withoutMarks({ fixed: _, diagnostics, ...file }: FileReport): FileReport {
	const plain = diagnostics.map(({ new: _new, earlier: _earlier, ...diagnostic }) => diagnostic);
	return { ...file, diagnostics: plain };
}

async function markAll(
	call: OperationCall,
	failing: readonly Failing[],
	bases: LruMap<Base> | undefined,
	since: string | undefined,
): Promise<Map<FileReport, FileReport>> {
	const marked = new Map<FileReport, FileReport>();
	const mark = ({ file, text }: Failing, base: Base) => {
		const diagnostics = markNew(base, { text, diagnostics: file.diagnostics }).map(({ new: isNew, ...item }) =>
			isNew || base.isBefore ? { ...item, new: isNew === true } : item,
		);
		marked.set(file, { ...file, diagnostics, ...(base.text === text ? { unchanged: true } : {}) });
	};
	const unknown = failing.filter((each) => {
		const base = bases?.get(each.located.path);
		if (base) mark(each, base);
		return !base;
	});
	if (unknown.length === 0) return marked;
	const found = await basesOf(call, unknown, since).catch(() => new Map<Failing, Base>());
	for (const each of unknown) {
		const base = found.get(each);
		if (base) mark(each, base);
		const { file, located, text } = each;
		bases?.set(located.path, base ?? { text, diagnostics: file.diagnostics, isBefore: false });
	}
	return marked;
}

async function basesOf(
	call: OperationCall,
	failing: readonly Failing[],
	since: string | undefined,
): Promise<Map<Failing, Base>> {
	const found = new Map<Failing, Base>();
	const { warmMs } = await call.settings();
	const limit = deadline(warmMs, () => new LspError("LSP_SERVER_TIMEOUT", "comparing took too long"), call.signal);
	try {
		for (const workspace of new Set(failing.map(({ located }) => located.workspace))) {
			const files = failing.filter(({ located }) => located.workspace === workspace);
			const before = await textsBefore(call, workspace, limit.signal, since);
			if (before) await addBases(call, files, before, { signal: limit.signal, found });
		}
	} finally {
		limit.end();
	}
	return found;
}

interface Search {
	readonly signal: AbortSignal;
	readonly found: Map<Failing, Base>;
}

async function addBases(
	call: OperationCall,
	files: readonly Failing[],
	before: TextsBefore,
	{ signal, found }: Search,
): Promise<void> {
	const known: Failing[] = [];
	const others = files.map(({ located }) => located.path).filter((path) => !before.texts.has(path));
	const unchanged = await before.unchanged(others);
	for (const each of files) {
		const { path } = each.located;
		if (before.texts.has(path) || unchanged.has(path)) known.push(each);
	}
	if (before.texts.size === 0) {
		for (const each of known) found.set(each, baseOf(each, before, each.file.diagnostics));
		return;
	}
	const compared = known.slice(0, maxCompared);
	const proofs = new Map<Failing, (Proof | undefined)[]>(compared.map((each) => [each, []]));
	const isCompared = new Set(compared.map(({ located }) => located.path));
	const texts = new Map([...before.texts].filter(([path]) => before.isComplete || isCompared.has(path)));
	for (const [server, some] of byServer(call, compared)) {
		const paths = some.map(({ located }) => located.path);
		const all = server && !readsDisk(server) ? await proofsBefore(server, texts, paths, signal) : [];
		const byPath = new Map(all.map((proof) => [proof.path, proof]));
		for (const each of some) proofs.get(each)?.push(byPath.get(each.located.path));
	}
	for (const [each, all] of proofs) {
		const proven = all.flatMap((proof) => proof ?? []);
		if (all.length === 0 || proven.length < all.length) continue;
		found.set(each, baseOf(each, before, mergeDiagnostics(proven.map(({ diagnostics }) => diagnostics))));
	}
}

function baseOf(
	{ located: { path }, text }: Failing,
	{ texts, isComplete }: TextsBefore,
	diagnostics: readonly Diagnostic[],
): Base {
	return { text: texts.get(path) ?? text, diagnostics, isBefore: isComplete };
}

function byServer(call: OperationCall, files: readonly Failing[]): Map<LanguageServer | undefined, Failing[]> {
	const found = new Map<LanguageServer | undefined, Failing[]>();
	for (const each of files)
		for (const route of each.located.routes) {
			if (route.config.diagnoses === false) continue;
			const server = call.service.pool.running(route);
			found.set(server, [...(found.get(server) ?? []), each]);
		}
	return found;
}

function proofsBefore(
	server: LanguageServer,
	texts: ReadonlyMap<string, string>,
	paths: readonly string[],
	signal: AbortSignal,
): Promise<Proof[]> {
	const { config, root } = server;
	const own = [...texts].filter(([path]) => isInside(path, root) && matchesName(config, path));
	return server.part(Background).proveWithTexts(new Map(own), paths, signal);
}
