/** The package lists them with types of their schemas (`scripts/api-types.ts`). */
export type Operations = Readonly<Record<string, { readonly input: object; readonly output: object }>>;
