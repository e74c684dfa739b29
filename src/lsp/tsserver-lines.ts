import type { Spot } from "../util/positions.ts";

/** 1-based, in UTF-16 units. */
export interface TsserverPosition {
	readonly line: number;
	readonly offset: number;
}

const separators = /[\u2028\u2029]/;

export function hasSeparators(text: string): boolean {
	return separators.test(text);
}

/** tsserver ends lines elsewhere than LSP (docs/facts.md, 34). */
export class TsserverLines {
	readonly #length: number;
	readonly #tsserver: readonly number[];
	readonly #lsp: readonly number[];

	constructor(text: string) {
		this.#length = text.length;
		this.#tsserver = startsOf(text, true);
		this.#lsp = startsOf(text, false);
	}

	fromTsserver({ line, offset }: TsserverPosition): Spot {
		const { line: lspLine, unit } = lineAt(this.#lsp, this.offsetOf({ line, offset }));
		return { line: lspLine, column: unit };
	}

	toTsserver({ line, column }: Spot): TsserverPosition {
		const { line: tsserverLine, unit } = lineAt(this.#tsserver, this.#offset(this.#lsp, line, column));
		return { line: tsserverLine, offset: unit };
	}

	offsetOf({ line, offset }: TsserverPosition): number {
		return this.#offset(this.#tsserver, line, offset);
	}

	#offset(starts: readonly number[], line: number, unit: number): number {
		if (line > starts.length) return this.#length;
		const start = starts[Math.max(line, 1) - 1] ?? 0;
		return Math.min(start + Math.max(unit, 1) - 1, this.#length);
	}
}

function lineAt(starts: readonly number[], offset: number): { readonly line: number; readonly unit: number } {
	let low = 0;
	let high = starts.length - 1;
	while (low < high) {
		const middle = Math.ceil((low + high) / 2);
		if ((starts[middle] ?? 0) <= offset) low = middle;
		else high = middle - 1;
	}
	return { line: low + 1, unit: offset - (starts[low] ?? 0) + 1 };
}

function startsOf(text: string, endAtSeparators: boolean): number[] {
	const starts = [0];
	for (let at = 0; at < text.length; at++) {
		const unit = text.charCodeAt(at);
		const isEnd = unit === 0x0a || (unit === 0x0d && text.charCodeAt(at + 1) !== 0x0a);
		if (isEnd || (endAtSeparators && (unit === 0x2028 || unit === 0x2029))) starts.push(at + 1);
	}
	return starts;
}
