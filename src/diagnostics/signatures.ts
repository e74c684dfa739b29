import type { Hover, Location, MarkupContent } from "vscode-languageserver-protocol";
import type { SignatureChange } from "../contract/check-report.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { linesOf, positionAt, toPath } from "../util/positions.ts";
import type { Proof } from "./sources/prove.ts";

/** So many signatures are asked for at one edit. */
const maxAsked = 8;
/** So many declarations' callers are counted. */
const maxCounted = 3;

/** A declaration and where its name stands: a UTF-16 offset of the text. */
export interface Named {
	/** Dotted path: `Shop.total`. */
	readonly path: string;
	readonly at: number;
}

/** A declaration whose signature is known to be another one than before the edit. */
export interface SignatureDifference extends Named {
	readonly before: string;
	readonly after: string;
}

/** The signatures of some declarations of a document as the server shows them; what it does not tell is left out. */
export async function readSignatures(
	server: LanguageServer,
	document: OpenDocument,
	named: readonly Named[],
	signal: AbortSignal,
): Promise<Map<string, string>> {
	const signatures = new Map<string, string>();
	if (!server.offers("textDocument/hover") || named.length > maxAsked) return signatures;
	await Promise.all(
		named.map(async ({ path, at }) => {
			const position = positionAt(at, document.text, server.encoding);
			const hover = await server.request<Hover | null>(
				"textDocument/hover",
				{ textDocument: { uri: document.uri }, position },
				signal,
			);
			const signature = signatureOf(hover);
			// One that the server cut short says nothing of what it left out.
			if (signature !== "" && !signature.includes("...")) signatures.set(path, signature);
		}),
	);
	return signatures;
}

/** The declarations whose signature changed, with how many callers they have in other files, and how many of those fail. */
export async function signatureChanges(
	server: LanguageServer,
	edited: string,
	differences: readonly SignatureDifference[],
	proofs: readonly Proof[],
	signal: AbortSignal,
): Promise<SignatureChange[]> {
	const document = server.documents.get(edited);
	if (!document || !server.offers("textDocument/references")) return [];
	const failing = new Set(
		proofs.flatMap(({ path, diagnostics }) =>
			diagnostics.filter(({ severity }) => severity === "error").map(({ line }) => `${path}:${line}`),
		),
	);
	const lines = new Map(proofs.map(({ path, text }) => [path, linesOf(text)]));
	return Promise.all(
		differences.slice(0, maxCounted).map(async ({ path: name, at, before, after }) => {
			const found = await server.request<Location[] | null>(
				"textDocument/references",
				{
					textDocument: { uri: document.uri },
					position: positionAt(at, document.text, server.encoding),
					context: { includeDeclaration: false },
				},
				signal,
			);
			const places = (found ?? []).flatMap(({ uri, range }) => {
				const path = toPath(uri);
				if (path === undefined || path === edited) return [];
				const source = lines.get(path)?.[range.start.line] ?? "";
				return isImport.test(source) ? [] : [{ path, line: range.start.line + 1 }];
			});
			return {
				name,
				before: declared(before),
				after: declared(after),
				callers: places.length,
				files: new Set(places.map(({ path }) => path)).size,
				failing: places.filter(({ path, line }) => failing.has(`${path}:${line}`)).length,
			};
		}),
	);
}

const isImport = /^\s*(import\b|from\b|export\s*(type\s*)?[{*])/;

/** A signature without the words before the name: `function area(w: number): number` is `area(w: number): number`. */
function declared(signature: string): string {
	const plain = signature.replace(/\s+/g, " ");
	return plain.replace(/^(\(\w+\) )?((export|declare|async|function|const|let|var|def|method) )*/, "");
}

function signatureOf(hover: Hover | null): string {
	const contents = hover?.contents;
	if (!contents) return "";
	const text = (part: unknown): string => (typeof part === "string" ? part : ((part as MarkupContent)?.value ?? ""));
	const whole = Array.isArray(contents) ? contents.map(text).join("\n") : text(contents);
	// The first code block is the signature; what follows is prose, and prose breaks nobody.
	return /```\w*\n([\s\S]*?)```/.exec(whole)?.[1]?.trim() ?? whole.trim();
}
