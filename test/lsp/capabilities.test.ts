import { expect, test } from "vitest";
import { clientCapabilities } from "../../src/daemon/capabilities.ts";
import { diagnosticsCapabilities } from "../../src/diagnostics/sources/capabilities.ts";
import { lspCapabilities, mergeCapabilities } from "../../src/lsp/capabilities.ts";
import { operations } from "../../src/operations/index.ts";
import { watchCapabilities } from "../../src/watch/registrations.ts";
import { withFake } from "../fakes/fake.ts";

test("slices of client capabilities are merged deeply, and none of them is changed", () => {
	const one = { workspace: { applyEdit: false }, textDocument: { hover: { contentFormat: ["markdown" as const] } } };
	const other = { workspace: { configuration: true }, textDocument: { hover: { dynamicRegistration: true } } };
	const before = JSON.stringify([one, other]);
	expect(mergeCapabilities(one, other)).toEqual({
		workspace: { applyEdit: false, configuration: true },
		textDocument: { hover: { contentFormat: ["markdown"], dynamicRegistration: true } },
	});
	expect(JSON.stringify([one, other])).toBe(before);
});

test("the client capabilities contain each folder's slice", () => {
	for (const slice of [watchCapabilities, diagnosticsCapabilities]) expect(clientCapabilities).toMatchObject(slice);
	const { general: _, ...rest } = lspCapabilities;
	expect(clientCapabilities).toMatchObject(rest);
	expect(clientCapabilities.general?.positionEncodings).toEqual(["utf-16", "utf-8", "utf-32"]);
});

test("the client capabilities name each request of an operation about a file, and that it may be sent again", () => {
	const asked = operations
		.flatMap(({ requests = [] }) => requests)
		.filter((method) => method.startsWith("textDocument/"));
	const declared = clientCapabilities.textDocument as Readonly<Record<string, unknown>>;
	const names: Readonly<Record<string, string>> = {
		prepareCallHierarchy: "callHierarchy",
		prepareTypeHierarchy: "typeHierarchy",
		prepareRename: "rename",
		"semanticTokens/full": "semanticTokens",
		"semanticTokens/range": "semanticTokens",
	};
	for (const method of asked) {
		const name = method.slice("textDocument/".length);
		expect(Object.keys(declared), method).toContain(names[name] ?? name);
		expect(clientCapabilities.general?.staleRequestSupport?.retryOnContentModified).toContain(method);
	}
});

test("a server gets the client capabilities that it is started with", () =>
	withFake({}, async (fake) => {
		await fake.start();
		const [initialize] = fake.received("initialize");
		expect(initialize?.params).toMatchObject({ capabilities: JSON.parse(JSON.stringify(lspCapabilities)) });
		expect(initialize?.params?.capabilities).not.toHaveProperty("textDocument.hover");
	}));
