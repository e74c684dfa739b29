import type { Hover, Location } from "vscode-languageserver-protocol";
import type { SignatureChange } from "../contract/check-report.ts";
import { hoverMarkdown } from "../contract/hover-markdown.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { linesOf, positionAt, toPath } from "../util/positions.ts";
import { Background } from "./background.ts";
import type { Proof } from "./sources/prove.ts";

const maxAsked = 8;
const maxCounted = 3;

interface NamePosition {
	/** Dotted path: `Shop.total`. */
	readonly path: string;
	/** UTF-16 offset. */
	readonly at: number;
}

export interface SignatureDifference extends NamePosition {
	readonly before: string;
	readonly after: string;
}

export async function readSignatures(
	server: LanguageServer,
	document: OpenDocument,
	names: readonly NamePosition[],
	signal: AbortSignal,
): Promise<Map<string, string>> {
	const signatures = new Map<string, string>();
	if (!server.offers("textDocument/hover") || names.length > maxAsked) return signatures;
	await Promise.all(
		names.map(async ({ path, at }) => {
			const position = positionAt(at, document.text, server.encoding);
			const hover = await server.request<Hover | null>(
				"textDocument/hover",
				{ textDocument: { uri: document.uri }, position },
				signal,
			);
			const signature = signatureOf(hover);
			// A shortened signature proves nothing.
			if (signature !== "" && !signature.includes("...")) signatures.set(path, signature);
		}),
	);
	return signatures;
}

interface ChangedSignatures {
	readonly path: string;
	readonly differences: readonly SignatureDifference[];
}

export class SignatureChanges {
	#pending: ChangedSignatures | undefined;
	counted: readonly SignatureChange[] = [];

	get isPending(): boolean {
		return this.#pending !== undefined;
	}

	expect(changed: ChangedSignatures | undefined): void {
		this.#pending = changed;
	}

	async count(server: LanguageServer, proofs: readonly Proof[], signal: AbortSignal): Promise<void> {
		const pending = this.#pending;
		if (!pending) return;
		const work = (running: AbortSignal) => server.turns.read(() => countCallers(server, pending, proofs, running));
		const counted = await server.part(Background).run({ kind: "callers", signatures: pending }, 0, work, signal);
		if (this.#pending !== pending) return;
		this.#pending = undefined;
		this.counted = counted;
	}

	reported(counted: readonly SignatureChange[]): void {
		if (counted === this.counted) this.counted = [];
	}
}

async function countCallers(
	server: LanguageServer,
	{ path: edited, differences }: ChangedSignatures,
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
			const callers = (found ?? []).flatMap(({ uri, range }) => {
				const path = toPath(uri);
				if (path === undefined || path === edited) return [];
				const source = lines.get(path)?.[range.start.line] ?? "";
				return isImport.test(source) ? [] : [{ path, line: range.start.line + 1 }];
			});
			return {
				name,
				before: declared(before),
				after: declared(after),
				callers: callers.length,
				files: new Set(callers.map(({ path }) => path)).size,
				failing: callers.filter(({ path, line }) => failing.has(`${path}:${line}`)).length,
			};
		}),
	);
}

const isImport = /^\s*(import\b|from\b|export\s*(type\s*)?[{*])/;

function declared(signature: string): string {
	const plain = signature.replace(/\s+/g, " ");
	return plain.replace(/^(\(\w+\) )?((export|declare|async|function|const|let|var|def|method) )*/, "");
}

function signatureOf(hover: Hover | null): string {
	const markdown = hoverMarkdown(hover);
	return /```[^`\n]*\n([\s\S]*?)```/.exec(markdown)?.[1]?.trim() ?? markdown;
}
