import type { Location } from "vscode-languageserver-protocol";
import type { SignatureChange } from "../findings.ts";
import { linesOf, toPath } from "../lsp/positions.ts";
import type { Proof } from "./prove.ts";
import type { ShapeChange } from "./shape.ts";

const isImport = /^\s*(import\b|from\b|export\s*(type\s*)?[{*])/;

/** The exported declarations whose signature changed, with how many of their users fail now. */
export function signaturesOf(
	edited: string,
	signatures: ShapeChange["signatures"],
	uses: ReadonlyMap<string, readonly Location[]>,
	proofs: readonly Proof[],
): SignatureChange[] {
	const failing = new Set(
		proofs.flatMap(({ path, diagnostics }) =>
			diagnostics.filter(({ severity }) => severity === "error").map(({ line }) => `${path}:${line}`),
		),
	);
	const lines = new Map(proofs.map(({ path, text }) => [path, linesOf(text)]));
	return signatures.map(({ name, before, after }) => {
		const places = (uses.get(name) ?? []).flatMap(({ uri, range }) => {
			const path = toPath(uri);
			if (path === undefined || path === edited) return [];
			// An import is no call.
			const source = lines.get(path)?.[range.start.line] ?? "";
			return isImport.test(source) ? [] : [{ path, line: range.start.line + 1 }];
		});
		return {
			name,
			before,
			after,
			callers: places.length,
			files: new Set(places.map(({ path }) => path)).size,
			failing: places.filter(({ path, line }) => failing.has(`${path}:${line}`)).length,
		};
	});
}
