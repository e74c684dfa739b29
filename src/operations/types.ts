import type { TypeHierarchyItem } from "vscode-languageserver-protocol";
import { LspError } from "../contract/errors.ts";
import { t, type ValueOf } from "../contract/schema.ts";
import { listSteps } from "../render/answers/hierarchy.ts";
import { allSteps, follow, Reach, Root, rootsOf, Steps } from "./common/hierarchy.ts";
import { definePointed } from "./common/pointed.ts";
import * as agentLsp from "./compat/agent-lsp-questions.ts";

const prepare = "textDocument/prepareTypeHierarchy";
const directions = ["super", "sub", "both"] as const;

const Output = t.object({
	symbols: t.list(Root, "What was asked about"),
	super: t.optional(Steps),
	sub: t.optional(Steps),
});

export type Types = ValueOf<typeof Output>;

export const types = definePointed({
	name: "types",
	title: "Supertypes and subtypes",
	description:
		"What a class or an interface extends or implements, and what extends or implements it, to a depth. Some servers know none (TypeScript's among them); `implementation` answers the second half there.",
	aliases: [agentLsp.types],
	requests: [prepare, "typeHierarchy/supertypes", "typeHierarchy/subtypes"],
	input: { direction: t.optional.oneOf(directions, "Supertypes, subtypes, or both (default)"), ...Reach },
	output: Output.properties,
	options: { isEmpty: ({ symbols }) => symbols.length === 0, whole: true },
	fallback: ({ symbols }) => (symbols.length === 0 ? "implementation" : undefined),
	example: {
		input: { file: "shapes.go", symbol: "Shape", direction: "sub" },
		output: {
			symbols: [{ name: "Shape", kind: "interface", path: "shapes.go", line: 3 }],
			sub: { steps: [{ name: "Circle", kind: "class", path: "circle.go", line: 5, depth: 1 }], omitted: 0 },
		},
	},
	async answer(query, pointer, { direction = "both", ...reach }): Promise<Types> {
		if (!query.server.offers(prepare))
			throw new LspError("LSP_UNSUPPORTED_REQUEST", `${query.server.config.id} does not answer ${prepare}.`, {
				method: prepare,
				...(query.server.offers("textDocument/implementation")
					? { suggestion: "{{implementation}} finds what implements or extends a type." }
					: {}),
			});
		const items = (await query.request<TypeHierarchyItem[] | null>(prepare, pointer)) ?? [];
		const symbols = await rootsOf(query, items);
		if (items.length === 0) return { symbols };
		const towards = (method: string) =>
			follow(
				query,
				items,
				async (item) => {
					const found = await query.server.request<TypeHierarchyItem[] | null>(method, { item }, query.signal);
					return (found ?? []).map((other) => ({ item: other }));
				},
				reach,
			);
		const [above, below] = await Promise.all([
			direction === "sub" ? undefined : towards("typeHierarchy/supertypes"),
			direction === "super" ? undefined : towards("typeHierarchy/subtypes"),
		]);
		return { symbols, ...(above ? { super: above } : {}), ...(below ? { sub: below } : {}) };
	},
	render({ symbols, super: above, sub: below }) {
		if (symbols.length === 0) return "No type found.";
		return [
			...symbols.map(({ name, path, line }) => `${name}  ${path}:${line}`),
			...(above ? [listSteps(above, { one: "supertype", many: "supertypes", none: "No supertypes." })] : []),
			...(below ? [listSteps(below, { one: "subtype", many: "subtypes", none: "No subtypes." })] : []),
		].join("\n");
	},
	next: ({ super: above, sub: below }, given) => allSteps("types", [above, below], given),
});
