import { unknownChange } from "../impact/outline/unread.ts";
import { type VisibleChange, visibleChange } from "../impact/visible-change.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import type { Baseline, CallBaseline } from "./baseline.ts";
import { reportedNames } from "./diff-diagnostics.ts";
import { type KnownState, KnownStates } from "./known-states.ts";
import { isProofOf } from "./prove-ahead.ts";
import { readSignatures, type SignatureDifference } from "./signatures.ts";
import { checkWithout } from "./sources/flycheck.ts";
import {
	checksProject,
	notifyOfFile,
	type Proof,
	type ProofOptions,
	proveDocument,
	repeatUntilUnchanged,
	resentIfDoubtful,
	strategyOf,
} from "./sources/prove.ts";

export interface Edit {
	readonly path: string;
	readonly languageId: string;
	readonly callBaseline: CallBaseline | undefined;
}

export interface ProvenEdit {
	readonly baseline: Baseline | undefined;
	/** Undefined if unknown or missing. */
	readonly before: string | undefined;
	/** Without text and diagnostics if the file is gone. */
	readonly proof: Proof;
	readonly isWhole: boolean;
	readonly change: VisibleChange;
	readonly signatures: readonly SignatureDifference[];
	readonly revisionBefore: number;
	readonly ms: number;
}

export function unprovenEdit(path: string, before: string): ProvenEdit {
	const proof = { path, text: "", hash: "unproven", diagnostics: [] };
	const compared = { baseline: undefined, before, proof, isWhole: false, change: unknownChange, signatures: [] };
	return { ...compared, revisionBefore: 0, ms: 0 };
}

interface EditProofOptions extends ProofOptions {
	readonly signal: AbortSignal;
	/** False: what others see stays unknown. */
	readonly compares?: boolean;
}

export function proveEdit(
	server: LanguageServer,
	{ path, languageId, callBaseline }: Edit,
	options: EditProofOptions,
): Promise<ProvenEdit> {
	const begunAt = performance.now();
	return server.turns.read(async () => {
		await server.catchUp(options.signal, path);
		return server.documents.exclusively(path, () => {
			const last = server.part(KnownStates).lastEdited(path);
			const revisionBefore = server.snapshot.revision;
			return repeatUntilUnchanged(server, path, languageId, async (opened) => {
				const document = resentIfDoubtful(server, opened, begunAt);
				const baseline = baselineOf(callBaseline, last, document.hash);
				return { ...(await proveAndCompare(server, document, baseline, options)), revisionBefore };
			});
		});
	});
}

/** Without a baseline, the last proof, if it is of the call's text and not of the present one (`hash`). */
function baselineOf(
	callBaseline: CallBaseline | undefined,
	last: KnownState | undefined,
	hash?: string,
): Baseline | undefined {
	if (callBaseline && "proof" in callBaseline) return callBaseline;
	if (callBaseline) return last?.proof.hash === callBaseline.unproven ? last : undefined;
	return last?.proof.hash === hash ? undefined : last;
}

async function proveAndCompare(
	server: LanguageServer,
	document: OpenDocument,
	baseline: Baseline | undefined,
	options: EditProofOptions,
): Promise<Omit<ProvenEdit, "revisionBefore">> {
	const { path } = document;
	const states = server.part(KnownStates);
	const before = textBefore(baseline);
	// 1. Ask the server, unless it was asked before the write.
	const revisionAsked = server.snapshot.revision;
	const askedAt = performance.now();
	const ahead = baseline?.ahead && isProofOf(baseline.ahead, server, document) ? baseline.ahead.proof : undefined;
	const answered = (ahead ? Promise.resolve(ahead) : proveDocument(server, document, options)).then((proof) => ({
		proof,
		ms: performance.now() - askedAt,
	}));
	// 2. Compare the texts meanwhile.
	const isWhole = baseline !== undefined && before === undefined;
	const comparing =
		!baseline || options.compares === false
			? unknownChange
			: isWhole
				? visibleChange(path, before, document.text)
				: states.visibleChange(path, baseline.proof, document);
	// 3. Let signatures decide where types are inferred. A question interrupts tsserver's check.
	const comparable = strategyOf(server) === "pull" ? comparing : answered.then(() => comparing);
	const reading = changedSignatures(server, document, { comparable, baseline, signal: options.signal });
	const [{ proof, ms }, compared, touched] = await Promise.all([answered, comparing, reading]);
	states.remember(proof, revisionAsked, "edited");
	const uncertain = new Set(compared.uncertain.map((each) => each.path));
	const equal = touched.filter((each) => uncertain.has(each.path) && each.before === each.after);
	const same = new Set(equal.map((each) => each.path));
	const unknown = compared.lost.size > 0 ? reportedNames(proof) : undefined;
	const hasMeaning = (lost: string) => unknown?.has(lost) !== true;
	const isRefined = same.size > 0 || [...compared.lost].some(hasMeaning);
	const change = isRefined ? await visibleChange(path, before, document.text, { same, hasMeaning }) : compared;
	const signatures = touched.filter((each) => each.before !== each.after);
	return { baseline, before, proof, isWhole, change, signatures, ms };
}

interface ComparableSignatures {
	readonly comparable: VisibleChange | Promise<VisibleChange>;
	readonly baseline: Baseline | undefined;
	readonly signal: AbortSignal;
}

async function changedSignatures(
	server: LanguageServer,
	document: OpenDocument,
	{ comparable, baseline, signal }: ComparableSignatures,
): Promise<SignatureDifference[]> {
	const compared = await comparable;
	const known = [...compared.uncertain, ...compared.altered].flatMap((each) => {
		const before = baseline?.signatures?.get(each.path);
		return before === undefined ? [] : [{ path: each.path, at: each.after, before }];
	});
	if (known.length === 0) return [];
	const now = await readSignatures(server, document, known, signal);
	return known.flatMap((each) => {
		const after = now.get(each.path);
		return after === undefined ? [] : [{ ...each, after }];
	});
}

export function proveGone(
	server: LanguageServer,
	{ path, callBaseline }: Edit,
	signal: AbortSignal,
): Promise<ProvenEdit> {
	return server.turns.read(async () => {
		await server.catchUp(signal);
		const states = server.part(KnownStates);
		const baseline = baselineOf(callBaseline, states.lastEdited(path));
		const before = textBefore(baseline);
		states.forget(path);
		const revisionBefore = server.snapshot.revision;
		server.documents.close(path);
		// TypeScript 7 watches nothing while it loads.
		notifyOfFile(server, path, "deleted");
		if (checksProject(server)) await checkWithout(server, path, signal);
		const change = baseline ? await visibleChange(path, before, undefined) : unknownChange;
		const proof = { path, text: "", hash: "", diagnostics: [] };
		return { baseline, before, proof, isWhole: true, change, signatures: [], revisionBefore, ms: 0 };
	});
}

function textBefore(baseline: Baseline | undefined): string | undefined {
	return baseline && baseline.proof.hash !== "" ? baseline.proof.text : undefined;
}
