import type { ClientCapabilities } from "vscode-languageserver-protocol";
import { diagnosticsCapabilities } from "../diagnostics/sources/capabilities.ts";
import { lspCapabilities, mergeCapabilities } from "../lsp/capabilities.ts";
import { watchCapabilities } from "../watch/registrations.ts";

/** lsp/server.ts sends these again after ContentModified. */
const retried = [
	..."definition declaration typeDefinition implementation references hover documentHighlight documentSymbol".split(
		" ",
	),
	..."prepareCallHierarchy prepareTypeHierarchy prepareRename rename signatureHelp completion inlayHint foldingRange".split(
		" ",
	),
	..."codeAction formatting rangeFormatting diagnostic semanticTokens/full semanticTokens/range".split(" "),
].map((name) => `textDocument/${name}`);

const questionCapabilities: ClientCapabilities = {
	general: { staleRequestSupport: { cancel: true, retryOnContentModified: retried } },
	workspace: {
		symbol: {},
		workspaceEdit: {
			documentChanges: true,
			resourceOperations: ["create", "rename", "delete"],
			failureHandling: "transactional",
			normalizesLineEndings: true,
			changeAnnotationSupport: { groupsOnLabel: true },
		},
		fileOperations: { willRename: true, didRename: true },
	},
	textDocument: {
		references: {},
		hover: { contentFormat: ["markdown", "plaintext"] },
		documentHighlight: {},
		callHierarchy: {},
		typeHierarchy: {},
		signatureHelp: {
			signatureInformation: {
				documentationFormat: ["markdown", "plaintext"],
				parameterInformation: { labelOffsetSupport: true },
				activeParameterSupport: true,
			},
		},
		// Readers need no snippets.
		completion: {
			completionItem: {
				snippetSupport: false,
				deprecatedSupport: true,
				tagSupport: { valueSet: [1] },
				documentationFormat: ["markdown", "plaintext"],
			},
			contextSupport: false,
		},
		rename: { prepareSupport: true, honorsChangeAnnotations: true },
		formatting: {},
		rangeFormatting: {},
		inlayHint: {},
		foldingRange: { lineFoldingOnly: true },
		semanticTokens: {
			requests: { range: true, full: true },
			tokenTypes: [
				..."namespace type class enum interface struct typeParameter parameter variable property enumMember event".split(
					" ",
				),
				..."function method macro keyword modifier comment string number regexp operator decorator".split(" "),
			],
			tokenModifiers: [
				..."declaration definition readonly static deprecated abstract async modification".split(" "),
				..."documentation defaultLibrary".split(" "),
			],
			formats: ["relative"],
			multilineTokenSupport: true,
			overlappingTokenSupport: true,
		},
		codeAction: {
			codeActionLiteralSupport: {
				codeActionKind: {
					valueSet: [
						"",
						"quickfix",
						"refactor",
						"refactor.extract",
						"refactor.inline",
						"refactor.rewrite",
						"source",
						"source.organizeImports",
						"source.fixAll",
					],
				},
			},
			isPreferredSupport: true,
			disabledSupport: true,
			dataSupport: true,
			resolveSupport: { properties: ["edit"] },
			honorsChangeAnnotations: true,
		},
	},
};

export const clientCapabilities: ClientCapabilities = mergeCapabilities(
	lspCapabilities,
	watchCapabilities,
	diagnosticsCapabilities,
	questionCapabilities,
);
