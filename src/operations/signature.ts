import type { MarkupContent, SignatureHelp, SignatureInformation } from "vscode-languageserver-protocol";
import { t, type ValueOf } from "../contract/schema.ts";
import type { FileQuery } from "../query/file-query.ts";
import type { Pointer } from "../query/find-position.ts";
import { oneLine } from "../render/escape.ts";
import { definePointed } from "./common/pointed.ts";
import * as agentLsp from "./compat/agent-lsp-questions.ts";

const method = "textDocument/signatureHelp";
const maxCalls = 8;

const Output = t.object({
	signatures: t.objects({
		label: t.text(),
		parameters: t.texts(),
		parameterDocumentation: t.optional.texts("One for each parameter, if any has one"),
		documentation: t.optional.text(),
	}),
	active: t.optional.integer("Which of them fits the call, from 0"),
	parameter: t.optional.integer("Which of its parameters stands there, from 0"),
	line: t.optional.integer("Where the call stands that was asked about"),
});

export type Signatures = ValueOf<typeof Output>;

export const signature = definePointed({
	name: "signature",
	title: "Signatures at a call",
	description:
		"The overloads of the function that is called at a place, and which parameter stands there. Point inside the parentheses (a pattern such as `greet(@@`), or name the function: then its first call in the file is asked about.",
	aliases: [agentLsp.signature],
	requests: [method],
	output: Output.properties,
	options: { isEmpty: ({ signatures }) => signatures.length === 0 },
	fallback: ({ signatures }) => (signatures.length === 0 ? "hover" : undefined),
	example: {
		input: { file: "src/app.ts", symbol: "greet" },
		output: {
			signatures: [
				{ label: "greet(name: string): string", parameters: ["name: string"], documentation: "Says hello." },
			],
			active: 0,
			parameter: 0,
			line: 3,
		},
	},
	async answer(query, pointer) {
		for (const call of callsFor(query, pointer)) {
			const help = await query.request<SignatureHelp | null>(method, call);
			if (!help || help.signatures.length === 0) continue;
			const active = Math.min(help.activeSignature ?? 0, help.signatures.length - 1);
			const parameter = help.signatures[active]?.activeParameter ?? help.activeParameter;
			return {
				signatures: help.signatures.map(toSignature),
				active,
				...(typeof parameter === "number" ? { parameter } : {}),
				line: query.toSpot(await query.position(call)).line,
			};
		}
		return { signatures: [] };
	},
	render({ signatures, active = 0, parameter, line }) {
		if (signatures.length === 0) return "No call found.";
		const { parameters = [], parameterDocumentation: about = [], documentation } = signatures[active] ?? {};
		const words = parameter === undefined ? undefined : about[parameter];
		const at = parameter === undefined ? undefined : parameters[parameter];
		const several = signatures.length > 1;
		return [
			...signatures.map(({ label }, index) => `${several && index === active ? "> " : several ? "  " : ""}${label}`),
			...(at === undefined
				? []
				: [`line ${line}, parameter ${(parameter ?? 0) + 1}: ${at}${words ? ` (${oneLine(words)})` : ""}`]),
			...(documentation === undefined ? [] : [documentation]),
		].join("\n");
	},
	next: ({ signatures }, { file, symbol }) =>
		signatures.length > 0 || symbol === undefined
			? undefined
			: { operation: "hover", input: { file, symbol }, why: "The type without a call" },
});

function callsFor({ lines }: FileQuery, pointer: Pointer): Pointer[] {
	const { symbol, line, column, pattern } = pointer;
	if (symbol === undefined || pattern !== undefined || column !== undefined) return [pointer];
	const name = symbol.split(/\.|::|#/).at(-1) || symbol;
	const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
	const call = new RegExp(`(?<![\\p{L}\\p{N}_$])${escaped}(?:::)?(?:<[^()<>]*>|!)?\\s*\\(`, "gu");
	const found: Pointer[] = [];
	for (const [index, text] of lines.entries()) {
		const number = index + 1;
		if (line !== undefined && line !== number) continue;
		for (const match of text.matchAll(call)) found.push({ line: number, column: match.index + match[0].length + 1 });
	}
	return found.slice(0, maxCalls);
}

function toSignature({ label, parameters = [], documentation }: SignatureInformation) {
	const text = textOf(documentation);
	const about = (parameters ?? []).map((parameter) => textOf(parameter.documentation));
	return {
		label,
		parameters: (parameters ?? []).map((parameter) =>
			typeof parameter.label === "string" ? parameter.label : label.slice(...parameter.label),
		),
		...(about.some((words) => words !== "") ? { parameterDocumentation: about } : {}),
		...(text === "" ? {} : { documentation: text }),
	};
}

function textOf(documentation: string | MarkupContent | undefined): string {
	return (typeof documentation === "string" ? documentation : (documentation?.value ?? "")).trim();
}
