import { Type } from "@sinclair/typebox";
import { rareFields } from "../../operations/common/inputs.ts";
import type { OfferedTool } from "./tool-definitions.ts";

export function slimInput({ properties, required = [] }: OfferedTool["input"]) {
	const kept = Object.entries(properties).flatMap(([name, { minimum: _, maximum: __, minLength: ___, ...schema }]) => {
		if (rareFields.has(name) && !required.includes(name)) return [];
		const field = Type.Unsafe(schema);
		return [[name, required.includes(name) ? field : Type.Optional(field)] as const];
	});
	return Type.Object(Object.fromEntries(kept));
}
