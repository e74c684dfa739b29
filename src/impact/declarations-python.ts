import { type Outline, OutlineBuilder } from "./outline.ts";
import { readImport } from "./python-imports.ts";
import { afterBlock, colonOf, isProse, type Line, linesOfPython, spansOf } from "./python-lines.ts";
import { readAttributes, readGlobals, selfOf } from "./python-methods.ts";
import type { Span, Tokens } from "./tokens.ts";

interface Scope {
	readonly prefix: string;
	/** The class at the top level that the lines are in. */
	readonly owner: string | undefined;
	/** The conditions that the lines stand under. */
	readonly context: string;
}

const blocks = new Set(["if", "elif", "else", "try", "except", "finally", "with", "for", "while", "match", "case"]);
const reflective = new Set(["globals", "setattr", "vars", "del"]);
const listing = new Set(["__all__"]);
/** Calls that make a type of their arguments: no signature tells what it looks like. */
const makesTypes = new Set(
	(
		"namedtuple NamedTuple TypedDict Enum IntEnum StrEnum Flag IntFlag NewType TypeVar ParamSpec TypeVarTuple " +
		"TypeAliasType type make_dataclass new_class"
	).split(" "),
);
/** With these annotations the value is what says the type. */
const saysNothing = new Set(["TypeAlias", "Final", "ClassVar", "InitVar"]);

/** Reads the declarations of a file of Python. */
export function pythonOutline(tokens: Tokens): Outline {
	const builder = new OutlineBuilder(tokens);
	const reader = new PythonReader(builder);
	reader.lines(linesOfPython(tokens), { prefix: "", owner: undefined, context: "" });
	builder.seeAll();
	return builder.outline();
}

class PythonReader {
	private readonly builder: OutlineBuilder;
	private readonly tokens: Tokens;

	constructor(builder: OutlineBuilder) {
		this.builder = builder;
		this.tokens = builder.tokens;
	}

	/** Reads lines that declare names of their scope. */
	lines(lines: readonly Line[], scope: Scope): void {
		const { tokens } = this;
		let decorators: Span[] = [];
		for (let index = 0; index < lines.length; ) {
			const line = lines[index];
			if (!line) return;
			const next = afterBlock(lines, index);
			const first = tokens.text(line.from) === "async" ? line.from + 1 : line.from;
			const word = tokens.text(first);
			const body = this.bodyOf(line, lines.slice(index + 1, next));
			if (word === "@") decorators.push([line.from, line.end]);
			else {
				if (word === "def") this.function(line, first + 1, body, decorators, scope);
				else if (word === "class" && tokens.isWord(first + 1)) this.class(line, first + 1, body, decorators, scope);
				else if (blocks.has(word) && colonOf(tokens, line) < line.end) this.block(line, body, scope);
				else this.statement(line, scope);
				decorators = [];
			}
			index = next;
		}
	}

	/** The lines of a block, with what stands behind the colon on its first one. */
	private bodyOf(line: Line, body: readonly Line[]): readonly Line[] {
		const colon = colonOf(this.tokens, line);
		return colon + 1 < line.end ? [{ from: colon + 1, end: line.end, indent: line.indent + 1 }, ...body] : body;
	}

	private function(line: Line, name: number, body: readonly Line[], decorators: readonly Span[], scope: Scope): void {
		const { tokens, builder } = this;
		const path = `${scope.prefix}${tokens.text(name)}`;
		const names = [scope.owner ?? tokens.text(name)];
		const open = tokens.find(name, line.end, "(");
		const close = tokens.after(open);
		const isTyped = tokens.text(close) === "->";
		const colon = colonOf(tokens, { ...line, from: close });
		const visible: Span[] = [...decorators, [line.from, colon]];
		const inferred = isTyped ? [] : spansOf(tokens, body);
		const isNamed = tokens.mentions(inferred, new Set(["class"]));
		if (isNamed) builder.declare({ path, names, name, visible: [...visible, ...inferred], context: scope.context });
		else builder.declare({ path, names, name, visible, inferred, context: scope.context });
		if (scope.owner === undefined) readGlobals(builder, body);
		else readAttributes(builder, { path: scope.prefix.slice(0, -1), names }, selfOf(tokens, open), body);
	}

	private class(line: Line, name: number, body: readonly Line[], decorators: readonly Span[], scope: Scope): void {
		const { tokens, builder } = this;
		const path = `${scope.prefix}${tokens.text(name)}`;
		const owner = scope.owner ?? tokens.text(name);
		const visible: Span[] = [...decorators, [line.from, colonOf(tokens, line)]];
		builder.declare({ path, names: [owner], name, visible, context: scope.context });
		this.lines(body, { prefix: `${path}.`, owner, context: "" });
	}

	/** Reads a block whose names are those of the scope around it. */
	private block(line: Line, body: readonly Line[], scope: Scope): void {
		const { tokens } = this;
		const head: Span = [line.from, colonOf(tokens, line)];
		const word = tokens.text(line.from);
		const bound = word === "for" ? tokens.find(line.from, head[1], "in") : line.from;
		for (let at = line.from; at < head[1]; at++) {
			const isName = at > line.from && at < bound ? tokens.text(at - 1) !== "." : tokens.text(at - 1) === "as";
			if (tokens.isWord(at) && isName) this.name(at, [head], scope);
		}
		this.lines(body, { ...scope, context: `${scope.context}${tokens.textOf([head])} : ` });
	}

	private statement(line: Line, scope: Scope): void {
		const { tokens, builder } = this;
		const { from, end } = line;
		const word = tokens.text(from);
		if (isProse(tokens, line) || word === "pass") return;
		const equals = tokens.find(from, end, "=", "+=", "|=");
		const isAnnotated =
			tokens.isWord(from) && colonOf(tokens, { ...line, end: equals }) === from + 1 && equals > from + 1;
		if (word === "import" || word === "from") readImport(builder, line, scope.prefix, scope.owner, scope.context);
		else if (word === "type" && tokens.isWord(from + 1)) this.name(from + 1, [[from, end]], scope);
		else if (isAnnotated) this.typed(line, from + 1, equals, scope);
		else if (equals < end && !reflective.has(word)) this.assigned(line, equals, scope);
		// What a statement of another kind does to the names of the module nobody reads.
		else if (tokens.mentions([[from, end]], listing)) this.name(from, [[from, end]], scope, "__all__");
		else if (tokens.mentions([[from, end]], reflective)) builder.rest += tokens.textOf([[from, end]]);
	}

	/** Reads `name: Type = value`. */
	private typed(line: Line, colon: number, equals: number, scope: Scope): void {
		const { tokens, builder } = this;
		const { from, end } = line;
		const type: Span = [colon, equals];
		const isInferred =
			tokens.mentions([type], saysNothing) &&
			!(tokens.text(equals - 1) === "]" && !tokens.mentions([type], new Set(["TypeAlias"])));
		// A field's default says whether its class may be made without it, and its value may say more.
		const isField = scope.owner !== undefined && tokens.isWord(equals + 1) && tokens.find(equals, end, "(") < end;
		const last = isField ? end : isInferred ? equals : Math.min(equals + 1, end);
		const names = [scope.owner ?? tokens.text(from)];
		const path = `${scope.prefix}${tokens.text(from)}`;
		const inferred: Span[] = isInferred && !isField ? [[equals, end]] : [];
		builder.declare({ path, names, name: from, visible: [[from, last]], inferred, context: scope.context });
	}

	private assigned(line: Line, equals: number, scope: Scope): void {
		const { tokens, builder } = this;
		const { from, end } = line;
		const value: Span = [equals + 1, end];
		const isMember = tokens.isWord(from) && tokens.text(from + 1) === ".";
		if (isMember) {
			const path = `${scope.prefix}${tokens.textOf([[from, equals]])}`;
			builder.declare({ path, names: [scope.owner ?? tokens.text(from)], visible: [[from, end]] });
			return;
		}
		const isWhole =
			tokens.text(equals) !== "=" || tokens.mentions([value], makesTypes) || tokens.text(from).startsWith("__");
		if (equals === from + 1 && !isWhole && tokens.find(equals + 1, end, "=") === end) {
			const names = [scope.owner ?? tokens.text(from)];
			const path = `${scope.prefix}${tokens.text(from)}`;
			builder.declare({
				path,
				names,
				name: from,
				visible: [[from, equals + 1]],
				inferred: [value],
				context: scope.context,
			});
			return;
		}
		let last = equals;
		for (let next = last; next < end; next = tokens.find(next + 1, end, "=")) last = next;
		for (let at = from; at < last; at++) {
			const isTarget =
				tokens.isWord(at) && tokens.text(at - 1) !== "." && !["[", ".", "("].includes(tokens.text(at + 1));
			if (isTarget) this.name(at, [[from, end]], scope);
		}
	}

	/** Declares a name by the whole text of some statements. */
	private name(at: number, visible: readonly Span[], scope: Scope, name = this.tokens.text(at)): void {
		this.builder.declare({
			path: `${scope.prefix}${name}`,
			names: [scope.owner ?? name],
			visible,
			context: scope.context,
		});
	}
}
