import { type TProperties, type TSchema, Type } from "@sinclair/typebox";
import type { Extension, ExtensionField, ExtensionTool } from "../contract/extension.ts";
import type { AnyOperation } from "../contract/operation.ts";
import { Written } from "../contract/planned.ts";
import { t } from "../contract/schema.ts";
import type { OperationContext } from "../daemon/operation-context.ts";
import { writtenText } from "../render/answers/written.ts";
import { harmlessData } from "../render/harmless.ts";
import { Incomplete } from "./common/inputs.ts";
import { changeInput, exitCodeOfWritten, writtenAnswer } from "./common/written.ts";

export function extensionOperations({ tools }: Pick<Extension, "tools">): AnyOperation[] {
	return tools.map((tool) => (tool.effect === "write" ? writing(tool) : reading(tool)));
}

export function extensionOperation({ tools }: Extension, name: string): AnyOperation | undefined {
	return extensionOperations({ tools: tools.filter((tool) => tool.name === name) })[0];
}

const Answer = {
	text: t.text("The answer"),
	data: t.optional.anyObject("The same as data"),
	...Incomplete,
};

interface Answered {
	readonly text: string;
}

function reading(tool: ExtensionTool): AnyOperation {
	return {
		...factsOf(tool),
		input: inputOf(tool),
		output: t.object(Answer),
		run: async (input: never, on: OperationContext) => (await on.extensions.run(tool, input)).answer,
		render: ({ text }: Answered) => text,
	};
}

function writing(tool: ExtensionTool): AnyOperation {
	return {
		...factsOf(tool),
		input: inputOf(tool, changeInput),
		output: t.object({ ...Answer, ...Written }),
		async run({ dry_run: dryRun, ...input }: { readonly dry_run?: boolean }, on: OperationContext) {
			const { answer, edit } = await on.extensions.run(tool, input);
			if (edit === undefined) return { ...answer, written: [], diff: "" };
			return { ...answer, ...writtenAnswer(await on.edits.given(edit, dryRun)) };
		},
		render: (output: Answered & Written) =>
			output.written.length + (output.planned?.files.length ?? 0) > 0 ? writtenText(output.text, output) : output.text,
		exitCode: exitCodeOfWritten as (output: never) => number,
	};
}

function factsOf(tool: ExtensionTool) {
	const { name, title, description, effect, core, positional, input } = harmlessData(tool);
	const required = Object.keys(input).filter((each) => !input[each]?.optional);
	const example = {
		input: Object.fromEntries(required.map((each) => [each, each.toUpperCase()])),
		output: { text: "", written: [], diff: "" },
	};
	return { name, title, description, effect, core, positional, example };
}

function inputOf({ input }: ExtensionTool, more: TProperties = {}) {
	const own = Object.entries(harmlessData(input)).map(([name, given]) => {
		const schema = schemaOf(given);
		return [name, given.optional ? t.optional(schema) : schema] as const;
	});
	return t.object({ ...Object.fromEntries(own), ...more });
}

function schemaOf({ type, description, values }: ExtensionField): TSchema {
	if (type === "list") return t.texts(description);
	if (type === "boolean") return t.flag(description);
	if (type === "integer") return t.integer(description);
	if (type === "number") return t.number(description);
	return values ? Type.Unsafe<string>({ type: "string", enum: [...values], description }) : t.text(description);
}
