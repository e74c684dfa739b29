import { type ParseErrorCode, printParseErrorCode, visit } from "jsonc-parser";

/** Outermost first. */
export type JsonPath = readonly (string | number)[];

/** Line and column are 1-based. */
export class JsonMistake extends Error {
	override readonly name = "JsonMistake";
	readonly line: number;
	readonly column: number;

	constructor(message: string, line: number, column: number) {
		super(message);
		this.line = line;
		this.column = column;
	}
}

export interface JsonText {
	readonly value: unknown;
	/** The first thousand; the last occurrence counts. */
	readonly repeated: readonly JsonPath[];
	/** 1-based; for an unknown path the nearest around it. */
	lineOf(path: JsonPath): number;
}

/** jsonc-parser recurses. */
const maxDepth = 100;
const maxRepeated = 1000;

interface Location {
	readonly line: number;
	inner?: Map<string | number, Location>;
}

interface Container {
	readonly value: unknown[] | Record<string, unknown>;
	readonly location: Location;
	field?: { readonly name: string; readonly line: number };
}

/** Allows comments and trailing commas. Throws a JsonMistake. */
export function readJson(text: string): JsonText {
	const open: Container[] = [];
	const repeated: JsonPath[] = [];
	let root: { readonly value: unknown; readonly location: Location } | undefined;

	const add = (value: unknown, line: number): Location => {
		const around = open.at(-1);
		if (!around) {
			root = { value, location: { line } };
			return root.location;
		}
		const { value: container, location, field } = around;
		const key = field ? field.name : (container as unknown[]).length;
		location.inner ??= new Map();
		const inner = location.inner.get(key)?.inner;
		const added: Location = { line: field?.line ?? line, ...(inner ? { inner } : {}) };
		location.inner.set(key, added);
		Object.defineProperty(container, key, { value, enumerable: true, configurable: true, writable: true });
		return added;
	};
	const begin = (value: Container["value"], line: number, column: number): void => {
		if (open.length > maxDepth) throw new JsonMistake(`it is nested more than ${maxDepth} deep`, line, column);
		open.push({ value, location: add(value, line) });
	};
	const end = () => void open.pop();

	visit(
		text,
		{
			onObjectBegin: (_offset, _length, line, column) => begin({}, line + 1, column + 1),
			onObjectProperty: (name, ...[, , line, , pathSupplier]) => {
				const object = open.at(-1) as Container;
				object.field = { name, line: line + 1 };
				if (Object.hasOwn(object.value, name) && repeated.length < maxRepeated)
					repeated.push([...pathSupplier(), name]);
			},
			onObjectEnd: end,
			onArrayBegin: (_offset, _length, line, column) => begin([], line + 1, column + 1),
			onArrayEnd: end,
			onLiteralValue: (value, offset, length, ...[line, column]) => {
				// The scanner would read `01` as two numbers.
				if (typeof value === "number" && /[\w.+-]/.test(text.charAt(offset + length)))
					throw new JsonMistake("a number is written in a way that JSON does not know", line + 1, column + 1);
				add(value, line + 1);
			},
			onError: (code, offset, ...[, line, column]) => {
				throw new JsonMistake(messageOf(code, offset >= text.length), line + 1, column + 1);
			},
		},
		{ allowTrailingComma: true },
	);
	if (!root) throw new JsonMistake("a value is missing", 1, 1);
	const { value, location: top } = root;
	const lineOf = (path: JsonPath): number => {
		let location = top;
		for (const part of path) {
			const inner = location.inner?.get(part);
			if (!inner) break;
			location = inner;
		}
		return location.line;
	};
	return { value, repeated, lineOf };
}

const messages: Readonly<Record<string, string>> = {
	InvalidSymbol: "what stands here is no value",
	InvalidNumberFormat: "a number is written in a way that JSON does not know",
	PropertyNameExpected: 'a name in double quotes or "}" is missing',
	ValueExpected: "a value is missing",
	ColonExpected: '":" is missing',
	CommaExpected: '"," or the end of the list or object is missing',
	CloseBraceExpected: '"," or "}" is missing',
	CloseBracketExpected: '"," or "]" is missing',
	EndOfFileExpected: "there is more behind the end of the value",
	InvalidCommentToken: "a comment is not allowed here",
	UnexpectedEndOfComment: "a comment has no end",
	UnexpectedEndOfString: "a text has no end",
	UnexpectedEndOfNumber: "a number has no end",
	InvalidUnicode: "a text has an escape that JSON does not know",
	InvalidEscapeCharacter: "a text has an escape that JSON does not know",
	InvalidCharacter: "a text has a character that JSON does not know",
};

function messageOf(code: ParseErrorCode, atEnd: boolean): string {
	const name = printParseErrorCode(code);
	return atEnd ? "the text ends too early" : (messages[name] ?? name);
}
