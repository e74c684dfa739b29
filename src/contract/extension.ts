/** What packages add that the user's configuration names, read from their package.json: no code of them is loaded. */
export interface Extension {
	readonly tools: readonly ExtensionTool[];
	readonly resources: readonly ExtensionResource[];
	readonly prompts: readonly ExtensionPrompt[];
	/** Those that come first are asked first. */
	readonly answers: readonly ExtensionAnswers[];
}

/** The operations that packages may answer for their files: questions about one file. */
export const answerable = [
	"hover",
	"definition",
	"references",
	"symbols",
	"declaration",
	"type_definition",
	"implementation",
	"highlights",
	"calls",
	"types",
	"signature",
	"completion",
	"inlay_hints",
	"semantic_tokens",
	"folding",
	"source",
] as const;

/** A function of a package's module. */
export interface ExtensionFunction {
	readonly name: string;
	/** Milliseconds. */
	readonly timeout: number;
	readonly package: string;
	/** Absolute. */
	readonly module: string;
}

/** It answers the operation of its name about files of these names, before pi-lsp does. */
export interface ExtensionAnswers extends ExtensionFunction {
	readonly match: readonly string[];
	readonly names: readonly string[];
	readonly patterns: readonly string[];
}

/** Its name has a hyphen, which no operation of pi-lsp has in its own. */
export interface ExtensionTool extends ExtensionFunction {
	readonly title: string;
	readonly description: string;
	readonly effect: "read" | "write";
	readonly core: boolean;
	readonly input: Readonly<Record<string, ExtensionField>>;
	readonly positional: readonly string[];
}

export interface ExtensionField {
	readonly type: "string" | "integer" | "number" | "boolean" | "list";
	readonly description: string;
	readonly values?: readonly string[];
	readonly optional: boolean;
}

/** The answer of a tool at `NAME:///PATH`. */
export interface ExtensionResource {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	readonly tool: string;
}

export interface ExtensionPrompt {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	/** Absolute. */
	readonly file: string;
	/** What each means, by its name. */
	readonly arguments: Readonly<Record<string, string>>;
}

export const noExtension: Extension = { tools: [], resources: [], prompts: [], answers: [] };
