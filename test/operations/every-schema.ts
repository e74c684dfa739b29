/** A schema and all schemas within it. */
export function everySchema(schema: unknown): Record<string, unknown>[] {
	if (typeof schema !== "object" || schema === null) return [];
	if (Array.isArray(schema)) return schema.flatMap(everySchema);
	return [schema as Record<string, unknown>, ...Object.values(schema).flatMap(everySchema)];
}
