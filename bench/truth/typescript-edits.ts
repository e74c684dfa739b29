import ts from "typescript-5";
import type { Kind, Language, Mutation } from "./change.ts";

/** Edits of TypeScript files; places are found in the syntax tree, so that any package will do. */
export const typescriptLanguage: Language = {
	mutations: (path, text, n) => new Collector(path, text, n).collect(),
	create(path, text, n) {
		const names = exportedNames(parse(path, text));
		const name = names[n % Math.max(names.length, 1)];
		if (name === undefined) return undefined;
		const base = path.slice(path.lastIndexOf("/") + 1).replace(/\.tsx?$/, "");
		const file = `${path.slice(0, path.lastIndexOf("/") + 1)}created-${n}.ts`;
		return {
			path: file,
			text: [
				`import * as source from "./${base}.js";`,
				`export { ${name} } from "./${base}.js";`,
				`export const used${n}: number = typeof source === "object" ? ${n} : "${n}";`,
				`export const missing${n} = source.missing${n};`,
				"",
			].join("\n"),
		};
	},
	astral: (n) => `export const astral${n} = "🦊𝒳", wrong${n}: number = /* 🧪 */ "🦊";\n`,
	comment: (n) => `// Line ${n}.\n`,
	parses: (path, text) => (parse(path, text) as Parsed).parseDiagnostics.length === 0,
};

type Parsed = ts.SourceFile & { readonly parseDiagnostics: readonly unknown[] };

function parse(path: string, text: string): ts.SourceFile {
	return ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
}

function isExported(node: ts.Node): boolean {
	return ts.canHaveModifiers(node) && !!ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
}

function exportedNames(file: ts.SourceFile): string[] {
	return file.statements.flatMap((statement) => {
		if (!isExported(statement) || isDefault(statement)) return [];
		if (ts.isVariableStatement(statement))
			return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? name.text : []));
		return ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement) ? (statement.name?.text ?? []) : [];
	});
}

function isDefault(node: ts.Node): boolean {
	return (
		ts.canHaveModifiers(node) && !!ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)
	);
}

class Collector {
	readonly #file: ts.SourceFile;
	readonly #text: string;
	readonly #n: number;
	readonly #found: Mutation[] = [];

	constructor(path: string, text: string, n: number) {
		this.#file = parse(path, text);
		this.#text = text;
		this.#n = n;
	}

	collect(): Mutation[] {
		const n = this.#n;
		const end = this.#text.length;
		this.#add("new type error", end, end, `export const wrong${n}: number = "text ${n}";\n`, "a line at the end");
		this.#add("new type error", end, end, `missing${n}();\n`, "an unknown name at the end");
		const first = this.#file.statements[0]?.getStart() ?? 0;
		this.#add("lines shifted", first, first, `// Line ${n}.\n\n`, "a comment on top");
		this.#add("lines shifted", first, first, `type Local${n} = string;\n`, "a declaration on top");
		for (const statement of this.#file.statements) this.#statement(statement);
		return this.#found;
	}

	#add(kind: Kind, start: number, end: number, text: string, what: string): void {
		this.#found.push({ kind, start, end, text, what });
	}

	#statement(node: ts.Statement): void {
		const [start, end] = [node.getStart(), node.getEnd()];
		if (ts.isImportDeclaration(node)) {
			const { moduleSpecifier } = node;
			const at = moduleSpecifier.getEnd() - 1;
			this.#add("import changed", at, at, `-missing-${this.#n}`, "a module that is not there");
			this.#add("import changed", start, end, "", `removed: ${this.#shortText(node)}`);
		} else if (ts.isExportDeclaration(node) || ts.isExportAssignment(node)) {
			this.#add("export removed", start, end, "", `removed: ${this.#shortText(node)}`);
			if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause))
				for (const { name, propertyName } of node.exportClause.elements)
					this.#add(
						"export renamed",
						name.getStart(),
						name.getEnd(),
						propertyName ? `renamed${this.#n}` : `${name.text} as renamed${this.#n}`,
						`specifier ${name.text} renamed`,
					);
		} else if (isExported(node)) this.#exported(node);
		this.#inside(node, isExported(node));
	}

	#exported(node: ts.Statement): void {
		const modifier = ts.canHaveModifiers(node)
			? ts.getModifiers(node)?.find(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
			: undefined;
		const shown = this.#shortText(node);
		this.#add("export removed", node.getStart(), node.getEnd(), "", `removed: ${shown}`);
		if (modifier && !isDefault(node))
			this.#add("export removed", modifier.getStart(), modifier.getEnd() + 1, "", `not exported any more: ${shown}`);
		for (const name of namesOf(node))
			this.#add("export renamed", name.getStart(), name.getEnd(), this.#renamed(name.text), `${name.text} renamed`);
	}

	#inside(node: ts.Node, exported: boolean): void {
		if (exported) this.#signature(node);
		if (ts.isBlock(node) && ts.isFunctionLike(node.parent)) {
			const at = node.getStart() + 1;
			const n = this.#n;
			this.#add("new type error", at, at, ` const wrong${n}: number = "text ${n}";`, "a wrong line in a function");
			this.#add("new type error", at, at, ` ({ a: 1 }).missing${n};`, "an unknown member in a function");
			this.#add("clean stays clean", at, at, ` void ${n};`, "a line in a function");
		}
		ts.forEachChild(node, (child) => this.#inside(child, exported));
	}

	#signature(node: ts.Node): void {
		const n = this.#n;
		const swap = keywordSwap(node);
		if (swap && !isInBody(node)) {
			this.#add(
				"signature changed",
				node.getStart(),
				node.getEnd(),
				swap,
				`${this.#shortText(node.parent)} -> ${swap}`,
			);
			if (swap.length === node.getWidth())
				this.#add(
					"same size, same mtime",
					node.getStart(),
					node.getEnd(),
					swap,
					`${this.#shortText(node.parent)} -> ${swap}`,
				);
		}
		if (isInBody(node)) {
			if (ts.isReturnStatement(node) && node.expression && inferredReturn(node)) {
				const { expression } = node;
				const text = expression.getText();
				this.#add(
					"inferred type changed",
					expression.getStart(),
					expression.getEnd(),
					`[${text}]`,
					`return [${cut(text)}]`,
				);
			}
			return;
		}
		if (ts.isFunctionLike(node) && !ts.isAccessor(node) && !ts.isFunctionTypeNode(node)) {
			const last = node.parameters.at(-1);
			const at = last && !last.dotDotDotToken ? last.getEnd() : undefined;
			if (at !== undefined && !last?.questionToken && !last?.initializer)
				this.#add("signature changed", at, at, `, added${n}: number`, `a parameter more: ${this.#shortText(node)}`);
		}
		if (ts.isArrowFunction(node) && !node.type && !ts.isBlock(node.body)) {
			const text = node.body.getText();
			this.#add("inferred type changed", node.body.getStart(), node.body.getEnd(), `[${text}]`, `=> [${cut(text)}]`);
		}
		if (ts.isInterfaceDeclaration(node)) {
			const at = this.#text.indexOf("{", node.name.getEnd()) + 1;
			this.#add("signature changed", at, at, ` added${n}: string;`, `a member more: ${node.name.text}`);
		}
		if (ts.isClassDeclaration(node) && isExported(node) && !isAbstract(node)) {
			const at = this.#text.indexOf("class", node.getStart());
			this.#add("signature changed", at, at, "abstract ", `abstract ${node.name?.text ?? ""}`);
		}
		if ((ts.isPropertySignature(node) || ts.isPropertyDeclaration(node)) && !node.questionToken) {
			const { name } = node;
			if (ts.isPropertySignature(node)) {
				this.#add("signature changed", name.getEnd(), name.getEnd(), "?", `${name.getText()} optional`);
				this.#add("signature changed", node.getStart(), node.getEnd(), "", `member ${name.getText()} removed`);
			}
			if (ts.isIdentifier(name))
				this.#add(
					"export renamed",
					name.getStart(),
					name.getEnd(),
					this.#renamed(name.text),
					`member ${name.text} renamed`,
				);
		}
		if (ts.isMethodDeclaration(node) && ts.isClassDeclaration(node.parent) && ts.isIdentifier(node.name)) {
			const { name } = node;
			this.#add(
				"export renamed",
				name.getStart(),
				name.getEnd(),
				this.#renamed(name.text),
				`method ${name.text} renamed`,
			);
			if (!ts.getModifiers(node)?.length)
				this.#add("signature changed", node.getStart(), node.getStart(), "private ", `method ${name.text} private`);
		}
		if (ts.isEnumMember(node) && ts.isIdentifier(node.name))
			this.#add(
				"export renamed",
				node.name.getStart(),
				node.name.getEnd(),
				this.#renamed(node.name.text),
				`enum member ${node.name.text} renamed`,
			);
		if (ts.isVariableDeclaration(node) && !node.type && node.initializer && ts.isIdentifier(node.name)) {
			const { initializer } = node;
			if (!ts.isArrowFunction(initializer))
				this.#add(
					"inferred type changed",
					initializer.getStart(),
					initializer.getEnd(),
					`[${initializer.getText()}]`,
					`${node.name.text} = [...]`,
				);
		}
	}

	#renamed(name: string): string {
		return `${name.replace(/X\d+$/, "")}X${this.#n}`;
	}

	#shortText(node: ts.Node): string {
		return cut(node.getText());
	}
}

function cut(text: string): string {
	const line = text.replace(/\s+/g, " ");
	return line.length > 70 ? `${line.slice(0, 70)}…` : line;
}

function namesOf(node: ts.Statement): ts.Identifier[] {
	if (ts.isVariableStatement(node))
		return node.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? name : []));
	const named = node as ts.Statement & { readonly name?: ts.Node };
	return named.name && ts.isIdentifier(named.name) ? [named.name] : [];
}

function keywordSwap(node: ts.Node): string | undefined {
	switch (node.kind) {
		case ts.SyntaxKind.StringKeyword:
			return "number";
		case ts.SyntaxKind.NumberKeyword:
			return "string";
		case ts.SyntaxKind.BooleanKeyword:
			return "bigint";
		default:
			return undefined;
	}
}

function isAbstract(node: ts.ClassDeclaration): boolean {
	return !!ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.AbstractKeyword);
}

function isInBody(node: ts.Node): boolean {
	return !!ts.findAncestor(node.parent, (parent) => ts.isBlock(parent) && ts.isFunctionLike(parent.parent));
}

/** Whether the return belongs to a declaration without a return type. */
function inferredReturn(node: ts.Node): boolean {
	const holder = ts.findAncestor(node, ts.isFunctionLike);
	return !!holder && !holder.type && !isInBody(holder);
}
