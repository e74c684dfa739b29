/** Of packages in the user's configuration, read from package.json: no code is loaded. */
export interface Extension {
	readonly tools: readonly ExtensionTool[];
	readonly resources: readonly ExtensionResource[];
	readonly prompts: readonly ExtensionPrompt[];
	readonly answers: readonly ExtensionAnswers[];
}

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

export interface ExtensionFunction {
	readonly name: string;
	/** Milliseconds. */
	readonly timeout: number;
	readonly package: string;
	/** Absolute. */
	readonly module: string;
}

/** It answers its operation for files of these names, before pi-lsp. */
export interface ExtensionAnswers extends ExtensionFunction {
	readonly match: readonly string[];
	readonly names: readonly string[];
	readonly patterns: readonly string[];
}

/** Its name has a hyphen, as no operation's has. */
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

/** A tool's answer, at `NAME:///PATH`. */
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
	readonly arguments: Readonly<Record<string, string>>;
}

export const noExtension: Extension = { tools: [], resources: [], prompts: [], answers: [] };
