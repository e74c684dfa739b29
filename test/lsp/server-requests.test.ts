import { describe, expect, test, vi } from "vitest";
import { type AnswerContext, answerServerRequests } from "../../src/lsp/server-requests.ts";

const requests = [
	"workspace/configuration",
	"workspace/workspaceFolders",
	"workspace/applyEdit",
	"workspace/codeLens/refresh",
	"workspace/semanticTokens/refresh",
	"workspace/inlayHint/refresh",
	"workspace/inlineValue/refresh",
	"workspace/diagnostic/refresh",
	"workspace/foldingRange/refresh",
	"workspace/textDocumentContent/refresh",
	"client/registerCapability",
	"client/unregisterCapability",
	"window/workDoneProgress/create",
	"window/showMessageRequest",
	"window/showDocument",
];

function context(over: Partial<AnswerContext> = {}): AnswerContext {
	return {
		folders: [{ uri: "file:///project", name: "project" }],
		settings: { a: { b: 1, c: [2] }, d: false },
		register: vi.fn(),
		unregister: vi.fn(),
		applyEdit: () => ({ applied: false }),
		...over,
	};
}

const malformed: readonly unknown[] = [
	undefined,
	null,
	0,
	"x",
	true,
	[],
	[null],
	{},
	{ items: null },
	{ items: 5 },
	{ items: [null, 5, {}, { section: 7 }, { section: "" }, { section: "a..b" }, { section: "__proto__.x" }] },
	{ registrations: null },
	{ registrations: [null] },
	{ unregisterations: [null] },
	{ unregisterations: 5 },
];

describe.each(requests)("the request %s", (method) => {
	test("is answered whatever its parameters are", () => {
		for (const params of malformed) {
			const answer = answerServerRequests(method, params, context());
			expect(answer, JSON.stringify(params)).not.toBeUndefined();
			expect(() => JSON.stringify(answer)).not.toThrow();
		}
	});

	test("is answered when its handler throws", () => {
		const broken = () => {
			throw new Error("oh");
		};
		const params = { items: [{}], registrations: [{ id: "1", method: "x" }], unregisterations: [{ id: "1" }] };
		expect(answerServerRequests(method, params, context({ register: broken, unregister: broken }))).not.toBeUndefined();
	});
});

test("a configuration request has as many answers as items, null for unset ones", () => {
	const items = [{ section: "a.b" }, { section: "a" }, { section: "d" }, { section: "x.y" }, {}, { section: "a.b.c" }];
	expect(answerServerRequests("workspace/configuration", { items }, context())).toEqual([
		1,
		{ b: 1, c: [2] },
		false,
		null,
		{ a: { b: 1, c: [2] }, d: false },
		null,
	]);
});

test("edits without a command are refused", () => {
	expect(answerServerRequests("workspace/applyEdit", { edit: {} }, context())).toMatchObject({ applied: false });
});

test("the workspace folders are the server's folders", () => {
	expect(answerServerRequests("workspace/workspaceFolders", null, context())).toEqual(context().folders);
});

test("registrations are accepted and answered with null", () => {
	const given = context();
	const registrations = [{ id: "1", method: "textDocument/diagnostic" }];
	expect(answerServerRequests("client/registerCapability", { registrations }, given)).toBeNull();
	expect(given.register).toHaveBeenCalledWith(registrations);
});

test.each(["unregisterations", "unregistrations"])("an unregistration is understood as %s", (spelling) => {
	const given = context();
	answerServerRequests("client/unregisterCapability", { [spelling]: [{ id: "1" }] }, given);
	expect(given.unregister).toHaveBeenCalledWith(["1"]);
});

test.each(["$/unknown", "", "toString", "constructor", "__proto__", "hasOwnProperty"])(
	"an unknown method (%j) is answered with null",
	(method) => {
		expect(answerServerRequests(method, {}, context())).toBeNull();
	},
);
