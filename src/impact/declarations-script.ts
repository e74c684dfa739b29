import { type Outline, OutlineBuilder } from "./outline.ts";
import { isCommonJs, readStatement as readOther, readTypedefs } from "./script-commonjs.ts";
import { anonymous, readAlias, readExportedValue, readExportList, readImport, type Scope } from "./script-imports.ts";
import { readMembers } from "./script-members.ts";
import { namespacesOf, scriptMentions } from "./script-mentions.ts";
import { afterDecorators, braceOf, endOfExpression } from "./script-types.ts";
import { readFunction } from "./script-values.ts";
import { readVariables } from "./script-variables.ts";
import type { Span, Tokens } from "./tokens.ts";

const modifiers = new Set(["declare", "abstract", "async"]);

/** Reads the declarations of a file of TypeScript or JavaScript. */
export function scriptOutline(tokens: Tokens, path: string): Outline {
	return new ScriptReader(tokens, path).outline();
}

class ScriptReader {
	private readonly tokens: Tokens;
	private readonly builder: OutlineBuilder;
	private readonly isTyped: boolean;
	/** True for a file of declarations: what it does not export is exported as well. */
	private readonly isDeclarations: boolean;
	private isModule = false;

	constructor(tokens: Tokens, path: string) {
		this.tokens = tokens;
		this.isTyped = /\.[mc]?tsx?$/.test(path);
		this.isDeclarations = /\.d\.(?:[\w-]+\.)?[mc]?ts$/.test(path);
		this.isModule = /\.[mc][jt]s$/.test(path) && !this.isDeclarations;
		this.builder = new OutlineBuilder(tokens, scriptMentions(namespacesOf(tokens)));
	}

	outline(): Outline {
		const { tokens, builder } = this;
		this.statements(0, tokens.length, { prefix: "", everywhere: false });
		const isScript = !this.isModule && !(!this.isTyped && isCommonJs(tokens));
		if (isScript || this.isDeclarations || (!this.isTyped && isCommonJs(tokens))) builder.seeAll();
		builder.isGlobal = isScript;
		builder.rest += tokens.scan.pragmas.filter((said) => said.startsWith("///")).join(" ");
		// Comments behind the last token.
		const doc = tokens.doc(tokens.length);
		if (doc !== undefined) readTypedefs(this.builder, doc);
		return builder.outline();
	}

	private statements(from: number, end: number, scope: Scope): void {
		for (let at = from; at < end; ) {
			const doc = this.tokens.doc(at);
			if (doc !== undefined) readTypedefs(this.builder, doc);
			at = Math.max(this.statement(at, end, scope), at + 1);
		}
	}

	/** Reads one statement and returns where it ends. */
	private statement(from: number, end: number, scope: Scope): number {
		const { tokens } = this;
		const first = afterDecorators(tokens, from, end);
		const word = tokens.text(first);
		const next = tokens.text(first + 1);
		if (word === ";") return first + 1;
		if (word === "import" && next !== "(" && next !== ".") {
			if (scope.prefix === "") this.isModule = true;
			const isAlias = tokens.find(first, Math.min(first + 5, end), "=") < Math.min(first + 5, end);
			return isAlias ? readAlias(this.builder, first, end, scope, false) : readImport(this.builder, first, end);
		}
		if (word === "export") return this.exported(from, first, end, scope);
		return this.declaration([], from, first, end, scope, undefined);
	}

	private exported(from: number, at: number, end: number, scope: Scope): number {
		const { tokens, builder } = this;
		if (scope.prefix === "") this.isModule = true;
		const decorators: Span[] = at > from ? [[from, at]] : [];
		const next = tokens.text(at + 1);
		if (next === "{" || next === "*") return readExportList(builder, at + 1, end, "");
		if (next === "type" && (tokens.text(at + 2) === "{" || tokens.text(at + 2) === "*"))
			return readExportList(builder, at + 2, end, "type");
		if (next === "=") return readExportedValue(this.builder, at + 2, end, scope);
		if (next === "import") return readAlias(this.builder, at + 1, end, scope, true);
		if (next === "as" && tokens.text(at + 2) === "namespace") {
			builder.declare({
				path: "export as namespace",
				names: [tokens.text(at + 3)],
				visible: [[at, at + 4]],
				everywhere: true,
			});
			builder.see(tokens.text(at + 3));
			return at + 4;
		}
		if (next !== "default") {
			// Within a namespace the word is a part of what is seen; at the top level the list of names says the same. A
			// comment that says a type stands before it.
			const isSaid = scope.prefix !== "" || tokens.doc(at) !== undefined;
			const said: Span[] = isSaid ? [...decorators, [at, at + 1]] : decorators;
			const start = afterDecorators(tokens, at + 1, end);
			return this.declaration(said, at + 1, start, end, scope, (name) => builder.see(name));
		}
		let start = afterDecorators(tokens, at + 2, end);
		while (modifiers.has(tokens.text(start)) && !tokens.fresh(start + 1)) start++;
		const isDeclaration = ["function", "class", "interface"].includes(tokens.text(start));
		if (!isDeclaration) return readExportedValue(this.builder, at + 2, end, scope);
		return this.declaration(decorators, at + 2, start, end, scope, (name) => builder.see(name, "default"));
	}

	/**
	 * Reads a declaration whose text begins at `from`, and whose first word behind its decorators stands at `first`.
	 * `said` is what belongs to it before that.
	 */
	private declaration(
		said: readonly Span[],
		from: number,
		first: number,
		end: number,
		scope: Scope,
		see: ((name: string) => void) | undefined,
	): number {
		const { tokens, builder } = this;
		let at = first;
		while (modifiers.has(tokens.text(at)) && tokens.isWord(at + 1) && !tokens.fresh(at + 1)) at++;
		const word = tokens.text(at);
		const next = at + 1 < end ? tokens.text(at + 1) : "";
		const named = (name: number): string[] => {
			const own = scope.owner ?? (tokens.isWord(name) ? tokens.text(name) : anonymous);
			see?.(own);
			if (scope.everywhere) builder.see(own);
			return [own];
		};
		const { everywhere } = scope;
		if (word === "function") {
			const name = next === "*" ? at + 2 : at + 1;
			const names = named(name);
			const isNamed = tokens.isWord(name);
			const read = readFunction(tokens, from, isNamed ? name + 1 : name, end, false);
			const path = `${scope.prefix}${isNamed ? tokens.text(name) : anonymous}`;
			builder.declare({
				path,
				names,
				name: isNamed ? name : undefined,
				visible: [...said, ...read.visible],
				inferred: read.inferred,
				everywhere,
			});
			return read.end;
		}
		const isNameNext = tokens.isWord(at + 1) && at + 1 < end;
		if (word === "class") {
			const isNamed = isNameNext && next !== "extends" && next !== "implements";
			const names = named(isNamed ? at + 1 : -1);
			const path = `${scope.prefix}${isNamed ? next : anonymous}`;
			const open = braceOf(tokens, at + 1, end);
			builder.declare({
				path,
				names,
				name: isNamed ? at + 1 : undefined,
				visible: [...said, [from, open]],
				everywhere,
				merges: everywhere,
			});
			const close = tokens.after(open) - 1;
			readMembers(builder, open + 1, Math.min(close, end), { path, names, everywhere, isTyped: this.isTyped });
			return close + 1;
		}
		const whole = (last: number): number => {
			const path = `${scope.prefix}${next}`;
			builder.declare({
				path,
				names: named(at + 1),
				name: at + 1,
				visible: [...said, [from, last]],
				everywhere,
				merges: true,
			});
			return last;
		};
		if ((word === "interface" || word === "enum") && isNameNext)
			return whole(tokens.after(braceOf(tokens, at + 1, end)));
		if (word === "const" && next === "enum") {
			at++;
			return this.declaration(said, from, at, end, scope, see);
		}
		if (word === "type" && isNameNext && ["=", "<"].includes(tokens.text(at + 2)))
			return whole(endOfExpression(tokens, at + 2, end));
		if (word === "namespace" || word === "module" || word === "global") {
			const inner = this.namespace(said, from, at, end, scope, see);
			if (inner !== undefined) return inner;
		}
		const isVariable =
			word === "const" || word === "var" || (word === "let" && (isNameNext || next === "{" || next === "["));
		if (
			isVariable ||
			(word === "using" && isNameNext && !tokens.fresh(at + 1)) ||
			(word === "await" && next === "using")
		)
			return readVariables(builder, said, from, word === "await" ? at + 2 : at + 1, end, scope, named);
		return readOther(builder, from, end, this.isTyped);
	}

	private namespace(
		said: readonly Span[],
		from: number,
		at: number,
		end: number,
		scope: Scope,
		see: ((name: string) => void) | undefined,
	): number | undefined {
		const { tokens, builder } = this;
		const isGlobal = tokens.text(at) === "global";
		const name = tokens.text(at + 1);
		const isModule = tokens.isString(at + 1);
		if (!isModule && !(isGlobal && name === "{") && (isGlobal || !tokens.isWord(at + 1))) return undefined;
		const open = tokens.find(at, end, "{", ";");
		if (tokens.text(open) !== "{") {
			if (!isModule) return undefined;
			// Of such a module every name is known, and of no type.
			builder.declare({ path: `module ${name}`, visible: [[from, at + 2]], everywhere: true });
			builder.see(`module ${name}`, `* ${name}`);
			return at + 2;
		}
		const close = tokens.after(open) - 1;
		if (isGlobal || isModule) {
			const prefix = isGlobal ? "global." : `${name}.`;
			this.statements(open + 1, close, { prefix, everywhere: true });
			return close + 1;
		}
		const owner = scope.owner ?? name;
		const path = `${scope.prefix}${name}`;
		see?.(owner);
		if (scope.everywhere) builder.see(owner);
		const { everywhere } = scope;
		builder.declare({ path, names: [owner], visible: [...said, [from, open]], everywhere, merges: true });
		this.statements(open + 1, close, { prefix: `${path}.`, owner, everywhere: scope.everywhere });
		return close + 1;
	}
}
