import type { Files } from "../support/workspace.ts";

/** The two TypeScript servers, each with the files that select it. */
export const versions: readonly (readonly [name: string, files: Files])[] = [
	["TypeScript 7", {}],
	[
		"TypeScript 5.9",
		{ "package.json": '{ "name": "sample", "type": "module", "devDependencies": { "typescript": "5.9.3" } }' },
	],
];
