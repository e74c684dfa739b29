import type { DeclaredSymbol } from "./declared-symbols.ts";
import type { FileOutline } from "./file-outlines.ts";

const plainDecorator =
	/^\s*@(?:\w+\.)*(?:property|cached_property|staticmethod|classmethod|abstractmethod|override|overload|final|wraps|lru_cache|cache|contextmanager|setter|getter|total_ordering|dataclass|runtime_checkable|Override|Deprecated|SuppressWarnings|Nullable|NotNull)\b/;

/** Characters of a declaration. */
const maxHead = 2000;

export function isEntryPoint(path: string, symbol: string): boolean {
	if (path.endsWith(".go")) return /^(?:init|main)$/.test(symbol);
	return symbol === "main" && /\.(?:rs|c|cc|cpp|zig|kt|swift|d|dart|java|cs)$/.test(path);
}

export function isRegistered({ text, at }: DeclaredSymbol, { lines }: Pick<FileOutline, "lines">): boolean {
	const decorators = text.split("\n", 20).filter((each) => /^\s*@\w/.test(each));
	for (let above = at.line - 1; above > 0 && /^\s*@\w/.test(lines[above - 1] ?? ""); above--)
		decorators.push(lines[above - 1] ?? "");
	return decorators.some((each) => !plainDecorator.test(each));
}

export function typeOf({ parent, kind }: DeclaredSymbol, { declared }: FileOutline): DeclaredSymbol | undefined {
	const owner = parent === undefined ? undefined : declared.get(parent);
	const isType = owner && /^(?:class|interface|struct|enum|object|trait)$/.test(owner.kind) && kind !== "class";
	return isType ? owner : undefined;
}

/** True if it may be called through another type, or by an operator. */
export function mayImplement(
	{ path, spans }: DeclaredSymbol,
	type: DeclaredSymbol,
	{ lines }: Pick<FileOutline, "lines">,
): boolean {
	const isAround = ([first, last]: readonly [number, number]) => spans.some(([from]) => first <= from && from <= last);
	const derives = type.spans.some((span) => {
		const text = lines
			.slice(span[0] - 1, span[1])
			.join("\n")
			.slice(0, maxHead);
		const head = text.split(/[{:]\s*(?:\n|$)/, 1)[0] ?? "";
		// Rust's implementations have their type's name; each is a part of its own.
		if (/\bimpl\b/.test(head)) return /\bimpl\b[\s\S]*\bfor\b/.test(head) && isAround(span);
		return /\b(?:extends|implements)\b/.test(head) || /^[ \t]*class\s+\w+\s*\((?!\s*(?:object)?\s*\))/m.test(head);
	});
	return derives || isSpecialName(path.slice(path.lastIndexOf(".") + 1));
}

/** Python calls these itself, or other code reads them by convention. */
export function isSpecialName(name: string): boolean {
	return /^__\w+__$/.test(name);
}
