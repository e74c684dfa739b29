import type * as TreeSitter from "@vscode/tree-sitter-wasm";

/** Copied out of the parser's memory. */
export class Node {
	readonly type: string;
	readonly field: string | null;
	readonly isNamed: boolean;
	readonly parent: Node | undefined;
	readonly children: Node[] = [];
	/** UTF-16 offsets in `source`. */
	readonly start: number;
	readonly end: number;
	readonly source: string;

	constructor(cursor: TreeSitter.TreeCursor, types: NodeTypes, parent: Node | undefined, source: string) {
		const { name, isNamed } = types[cursor.nodeTypeId] ?? { name: cursor.nodeType, isNamed: cursor.nodeIsNamed };
		this.type = name;
		this.isNamed = isNamed;
		// Each property is a slow call.
		this.field = parent && isNamed ? cursor.currentFieldName : null;
		this.start = parent && parent.children.length === 0 && parent.parent ? parent.start : cursor.startIndex;
		this.end = Math.min(cursor.endIndex, source.length);
		this.parent = parent;
		this.source = source;
	}

	get text(): string {
		return this.source.slice(this.start, this.end);
	}

	child(field: string): Node | undefined {
		return this.children.find((each) => each.field === field);
	}

	first(...types: readonly string[]): Node | undefined {
		return this.children.find(({ type }) => types.includes(type));
	}

	get named(): Node[] {
		return this.children.filter(({ isNamed, isComment }) => isNamed && !isComment);
	}

	get isComment(): boolean {
		return this.type.endsWith("comment") || this.type === "html_comment";
	}

	all(): Node[] {
		const found: Node[] = [];
		for (const stack: Node[] = [this]; ; ) {
			const node = stack.pop();
			if (!node) return found;
			found.push(node);
			for (let index = node.children.length - 1; index >= 0; index--) stack.push(node.children[index]!);
		}
	}

	allOf(...types: readonly string[]): Node[] {
		return this.all().filter(({ type }) => types.includes(type));
	}
}

export type NodeTypes = readonly { readonly name: string; readonly isNamed: boolean }[];
