/** In the package the operations stand here one by one, with the types of their schemas (`scripts/api-types.ts`). */
export type Operations = Readonly<Record<string, { readonly input: object; readonly output: object }>>;
