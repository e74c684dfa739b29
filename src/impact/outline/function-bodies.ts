import { spotsAlong } from "../../util/positions.ts";
import type { Language } from "./languages.ts";
import type { Node } from "./node.ts";
import { parseFile } from "./parse-file.ts";

/** Lines are 1-based, both included, and begin with decorators. */
interface FunctionBody {
	/** Without what contains it, but the receiver of a Go method: a suite's may be called like a test. */
	readonly name: string;
	readonly line: number;
	readonly endLine: number;
	readonly body: string;
}

export interface FunctionBodies {
	/** Outermost ones, in order. */
	readonly functions: readonly FunctionBody[];
	/** The text without their bodies: what runs when the file is loaded or compiled. */
	readonly rest: string;
}

const declared: Readonly<Record<Language["family"], readonly string[]>> = {
	script: [
		...["function_declaration", "generator_function_declaration", "method_definition"],
		...["arrow_function", "function_expression"],
	],
	python: ["function_definition"],
	go: ["function_declaration", "method_declaration"],
	rust: ["function_item"],
	c: [],
};
const named = new Set(["variable_declarator", "public_field_definition", "pair"]);

/** Undefined without a grammar, beyond a limit, or with a syntax error. */
export async function functionBodiesOf(path: string, text: string): Promise<FunctionBodies | undefined> {
	const parsed = await parseFile(path, text);
	if (!parsed || parsed.hasError) return undefined;
	const types = declared[parsed.family];
	const found: { readonly name: string; readonly whole: Node; readonly body: Node }[] = [];
	for (const open = [parsed.root]; ; ) {
		const node = open.pop();
		if (!node) break;
		const name = types.includes(node.type) ? nameOf(node) : undefined;
		const body = node.child("body");
		if (name === undefined || !body || isConstant(node)) {
			open.push(...node.children.toReversed());
			continue;
		}
		const { parent } = node;
		found.push({ name, whole: parent?.type === "decorated_definition" ? parent : node, body });
	}
	const spotOf = spotsAlong(text);
	let from = 0;
	let rest = "";
	const functions: FunctionBody[] = [];
	for (const { name, whole, body } of found) {
		const { line } = spotOf(whole.start);
		rest += `${text.slice(from, body.start)}{}`;
		from = body.end;
		functions.push({ name, line, endLine: spotOf(whole.end).line, body: text.slice(body.start, body.end) });
	}
	return { functions, rest: rest + text.slice(from) };
}

function nameOf(node: Node): string | undefined {
	const own = node.child("name");
	const receiver = node.child("receiver");
	if (own) return receiver ? `${receiver.text} ${own.text}` : own.text;
	const { parent } = node;
	if (!parent || !named.has(parent.type)) return undefined;
	return (parent.child("name") ?? parent.child("key"))?.text;
}

/** The compiler runs a `const fn`, which no test then shows. */
function isConstant(node: Node): boolean {
	return node.first("function_modifiers")?.text.split(/\s+/).includes("const") === true;
}
