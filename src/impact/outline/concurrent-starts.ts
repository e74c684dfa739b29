import type { Spot } from "../../util/positions.ts";
import type { Language } from "./languages.ts";
import type { Node } from "./node.ts";
import { parseFile } from "./parse-file.ts";

export interface SyntaxUse {
	/** What starts it on another goroutine, thread, task or worker: `go`, `threading.Thread`. */
	readonly how?: string;
	/** UTF-16 offset of the name of the function around, unless something above starts the use. */
	readonly within?: { readonly name: string; readonly at: number };
}

interface Starters {
	readonly values: RegExp;
	/** These run what a call among their arguments returns: a coroutine, a promise. */
	readonly results?: RegExp;
}

const starters: Readonly<Record<Language["family"], Starters>> = {
	// net/http runs each handler on its own goroutine.
	go: { values: /\.(?:Go|TryGo|AfterFunc|HandleFunc|HandlerFunc)$/ },
	script: {
		values:
			/^(?:\w+\.)*(?:setTimeout|setInterval|setImmediate|queueMicrotask|nextTick|requestAnimationFrame|requestIdleCallback)$|\.(?:then|catch|finally)$|\b(?:parentPort|self)[?!]?\.(?:on|once|addEventListener)$/,
		results: /^(?:\w+\.)*Promise\.(?:all|allSettled|any|race)$/,
	},
	python: {
		values:
			/(?:^|\.)(?:Thread|Process|Timer|start_new_thread|run_in_executor|to_thread|call_soon|call_soon_threadsafe|call_later|call_at|submit|apply_async|map_async|starmap_async|imap|imap_unordered|starmap|start_soon|add_done_callback)$|(?:[Pp]ool|[Ee]xecutor)\.map$/,
		results: /(?:^|\.)(?:create_task|ensure_future|gather|run_coroutine_threadsafe)$/,
	},
	rust: {
		values: /\bthread::(?:spawn|scope)$|\brayon::(?:spawn|join|scope)$|(?:::|\.)(?:spawn|spawn_blocking|spawn_local)$/,
		results: /(?:^|::|\.)(?:spawn|spawn_local|join|try_join|select)$/,
	},
	c: { values: /(?:^|::)(?:async|thread|jthread|pthread_create|thrd_create|CreateThread|_beginthreadex?)$/ },
};

/** It runs a given coroutine, and is one itself. */
const wrappers = /(?:^|\.)(?:wait_for|shield|timeout)$/;
const calls = /^(?:call|call_expression|new_expression|macro_invocation)$/;
const unnamed =
	/^(?:func_literal|arrow_function|function_expression|generator_function|lambda|closure_expression|async_block|lambda_expression)$/;
const named =
	/^(?:function_declaration|generator_function_declaration|method_declaration|method_definition|function_definition|function_item)$/;
const assigned =
	/^(?:variable_declarator|short_var_declaration|var_spec|assignment|assignment_expression|public_field_definition|pair|let_declaration|init_declarator)$/;
/** `std::thread worker(run);` and `std::thread{run}`. */
const constructed = /^(?:declaration|compound_literal_expression)$/;
const maxAbove = 200;
/** A function called where it is written may be as long as the file. */
const maxCalled = 200;
const maxShown = 60;

/**
 * Of each use, in order. `isFunction`: false for a field or a variable, which an argument reads before anything starts.
 * Undefined without a grammar, or for a text too long to parse.
 */
export async function usesIn(
	path: string,
	text: string,
	uses: readonly Spot[],
	isFunction: boolean,
): Promise<SyntaxUse[] | undefined> {
	const parsed = await parseFile(path, text);
	if (!parsed) return undefined;
	const starts = [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), ({ index, 0: end }) => index + end.length)];
	return uses.map(({ line, column }) => {
		const leaf = leafAt(parsed.root, (starts[line - 1] ?? text.length) + column - 1);
		return useOf(leaf, starters[parsed.family], isFunction);
	});
}

function leafAt(root: Node, offset: number): Node {
	let node = root;
	for (;;) {
		const inner = node.children.find(({ start, end }) => start <= offset && offset < end);
		if (!inner) return node;
		node = inner;
	}
}

function useOf(leaf: Node, { values, results }: Starters, isFunction: boolean): SyntaxUse {
	let [isCalled, isPassed, isLater] = [false, false, false];
	let within: SyntaxUse["within"];
	let node = leaf;
	for (let steps = 0; node.parent && steps < maxAbove; steps++) {
		const { parent } = node;
		if (named.test(parent.type)) {
			within ??= nameOf(parent);
			const thread = threadOf(parent);
			if (thread !== undefined) return { how: thread };
			break;
		}
		if (unnamed.test(parent.type)) {
			isLater = true;
			within ??= assignedName(parent);
		} else if (parent.type === "go_statement") {
			if (isLater || (isFunction && !isPassed)) return { how: "go" };
		} else if (parent.type === "assignment_expression" && /(?:^|\.)onmessage$/.test(parent.child("left")?.text ?? "")) {
			if (node.field === "right" && (isLater || (isFunction && !isCalled))) return { how: "onmessage" };
		} else if (constructed.test(parent.type) && values.test(parent.child("type")?.text ?? "")) {
			if (node.field !== "type" && (isLater || isFunction)) return { how: shown(parent.child("type")) };
		} else if (calls.test(parent.type)) {
			const called = calledIn(parent);
			if (node === called) {
				// A started call's arguments were evaluated before.
				isCalled = true;
			} else {
				const name = called?.text.slice(-maxCalled).replace(/\s+/g, "") ?? "";
				const isValue = isLater || (isFunction && !isCalled);
				if (isValue && values.test(name)) return { how: shown(called) };
				if ((isValue || (isFunction && !isPassed)) && results?.test(name)) return { how: shown(called) };
				if (isCalled && !wrappers.test(name)) isPassed = true;
			}
		}
		node = parent;
	}
	return within ? { within } : {};
}

function calledIn(call: Node): Node | undefined {
	return call.child("function") ?? call.child("constructor") ?? call.child("macro");
}

/** `run` of a class that extends a thread. */
function threadOf(method: Node): string | undefined {
	if (method.type !== "function_definition" || method.child("name")?.text !== "run") return undefined;
	const bases = method.parent?.parent?.child("superclasses");
	const thread = /\b(?:\w+\.)?(?:Thread|Process)\b/.exec(bases?.text ?? "");
	return thread?.[0];
}

function nameOf(declared: Node): SyntaxUse["within"] {
	let name = declared.child("name") ?? declared.child("declarator");
	// C declares `int *name(void)`.
	while (name?.child("declarator")) name = name.child("declarator");
	const last = name?.child("name") ?? name;
	return last && { name: last.text.slice(0, maxShown), at: last.start };
}

function assignedName(value: Node): SyntaxUse["within"] {
	const around = /^(?:expression_list|parenthesized_expression)$/.test(value.parent?.type ?? "")
		? value.parent?.parent
		: value.parent;
	if (!around || !assigned.test(around.type)) return undefined;
	const left = ["name", "left", "key", "pattern", "declarator"].map((field) => around.child(field)).find(Boolean);
	const name = left?.type === "expression_list" ? left.named[0] : left;
	const last = name?.child("property") ?? name?.child("attribute") ?? name?.child("field") ?? name;
	return last && { name: last.text.slice(0, maxShown), at: last.start };
}

function shown(node: Node | undefined): string {
	return (node?.text ?? "").slice(-maxCalled).replace(/\s+/g, " ").slice(-maxShown);
}
