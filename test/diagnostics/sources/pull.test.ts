import { describe, expect, test } from "vitest";
import { strategyOf } from "../../../src/diagnostics/sources/prove.ts";
import { pullDiagnostics, type Related } from "../../../src/diagnostics/sources/pull.ts";
import type { LanguageServer } from "../../../src/lsp/server.ts";
import { toUri } from "../../../src/util/positions.ts";
import { type Fake, withFake } from "../../fakes/fake.ts";
import type { Rule, Step } from "../../fakes/script.ts";
import { met, notYet, until } from "../../support/until.ts";

const pull = "textDocument/diagnostic";

function finding(message: string): object {
	const position = { line: 0, character: 0 };
	return { range: { start: position, end: position }, severity: 1, message };
}

function full(resultId: string | undefined, ...messages: string[]): Step {
	return { reply: { kind: "full", ...(resultId ? { resultId } : {}), items: messages.map(finding) } };
}

const unchanged = (resultId: string): Step => ({ reply: { kind: "unchanged", resultId } });

/** A server that answers one pull after the other, and the file `a.fake` open in it. */
function pulling(
	steps: readonly (readonly Step[])[],
	body: (ask: (related?: Related) => Promise<string[]>, server: LanguageServer, fake: Fake) => Promise<void>,
): Promise<void> {
	const on: Rule[] = steps.map((each, index) => ({ method: pull, nth: index + 1, do: each }));
	on.push({ method: "$/news", do: [{ ask: "workspace/diagnostic/refresh" }] });
	return withFake({ on }, async (fake) => {
		const server = await fake.start();
		const path = fake.write("a.fake", "x\n");
		server.documents.set(path, "fake", "x\n");
		const ask = async (related?: Related) => {
			const items = await pullDiagnostics(server, path, AbortSignal.timeout(5000), related);
			return items.map(({ message }) => String(message));
		};
		await body(ask, server, fake);
	});
}

/** The result ids that the server got, one for each request. */
function previous(fake: Fake): unknown[] {
	return fake.received(pull).map(({ params }) => params?.previousResultId);
}

describe("pulled results", () => {
	test("that are unchanged have an id of their own for the next request", () =>
		pulling([[full("1", "known")], [unchanged("2")], [unchanged("3")]], async (ask, _, fake) => {
			for (let i = 0; i < 3; i++) expect(await ask()).toEqual(["known"]);
			expect(previous(fake)).toEqual([undefined, "1", "2"]);
		}));

	test("are never referred to at a server whose `unchanged` is doubtful", () =>
		pulling([[full("1", "old")], [full("2", "new")]], async (ask, server, fake) => {
			Object.assign(server.config, { doubtfulUnchanged: true });
			expect([await ask(), await ask()]).toEqual([["old"], ["new"]]);
			expect(previous(fake)).toEqual([undefined, undefined]);
		}));

	test("without an id are not referred to, and replace the ones before", () =>
		pulling([[full("1", "old")], [full(undefined, "new")], [full("3")]], async (ask, _, fake) => {
			for (const expected of [["old"], ["new"], []]) expect(await ask()).toEqual(expected);
			expect(previous(fake)).toEqual([undefined, "1", undefined]);
		}));

	test.each([
		["closed", (server: LanguageServer, path: string) => server.documents.close(path)],
		["opened again", (server: LanguageServer) => server.documents.reopen()],
	])("are not referred to after the document was %s", (_, happens) =>
		pulling([[full("1")], [full("2")], [full("3")]], async (ask, server, fake) => {
			await ask();
			server.documents.set(`${fake.root}/a.fake`, "fake", "another\n");
			await ask();
			happens(server, `${fake.root}/a.fake`);
			await ask();
			expect(previous(fake)).toEqual([undefined, "1", undefined]);
		}),
	);

	test("that are unchanged and were never sent are requested once more, and are then an error of the server, not clean", () =>
		pulling([[unchanged("1")], [full("2", "reported")], [unchanged("3")], [unchanged("4")]], async (ask, server) => {
			expect(await ask()).toEqual(["reported"]);
			server.documents.reopen();
			await expect(ask()).rejects.toMatchObject({ code: "LSP_SERVER_ERROR" });
		}));
});

describe("an answer that is no report", () => {
	const nothing: Step = { reply: null };

	test("is asked for once more", () =>
		pulling([[nothing], [full("1", "reported")]], async (ask) => {
			expect(await ask()).toEqual(["reported"]);
		}));

	test("proves nothing when it comes again, and is not called clean", () =>
		pulling([[nothing], [nothing]], async (ask, _, fake) => {
			await expect(ask()).rejects.toMatchObject({
				code: "LSP_SERVER_ERROR",
				message: expect.stringContaining("textDocument/diagnostic: null is no report"),
			});
			expect(fake.received(pull)).toHaveLength(2);
		}));
});

describe("a server that cancels a request", () => {
	const cancelled = (data?: object): Step => ({ error: { code: -32802, message: "busy", ...(data ? { data } : {}) } });

	test.each([
		["without a flag", undefined],
		["with the flag retriggerRequest", { retriggerRequest: true }],
	])("%s is asked again", (_, data) =>
		pulling([[cancelled(data)], [cancelled(data)], [full("1", "reported")]], async (ask) => {
			expect(await ask()).toEqual(["reported"]);
		}),
	);

	test("is waited for until it has changed results if it does not want the request again", () =>
		pulling([[cancelled({ retriggerRequest: false })], [full("1", "reported")]], async (ask, server, fake) => {
			const answer = ask();
			const asked = () => fake.received(pull).length;
			await until("the question was asked", () => (asked() ? met(true) : notYet("nothing")));
			// The delay is longer than the three retries would take.
			await new Promise((resolve) => setTimeout(resolve, 200));
			expect(asked()).toBe(1);
			server.notify("$/news", {});
			expect(await answer).toEqual(["reported"]);
			expect(asked()).toBe(2);
		}));

	test("is reported at once if it exits", () =>
		pulling([[cancelled({ retriggerRequest: false }), { delay: 100 }, { crash: 1 }]], async (ask) => {
			await expect(ask()).rejects.toMatchObject({ code: "LSP_SERVER_CRASHED" });
		}));
});

describe("the diagnostics of other files in an answer", () => {
	const withRelated = (uri: string, ...messages: string[]): Step => ({
		reply: {
			kind: "full",
			items: [finding("own")],
			relatedDocuments: { [uri]: { kind: "full", resultId: "r", items: messages.map(finding) } },
		},
	});
	const messages = (related: Related) =>
		[...related].map(([path, items]) => [path, items.map(({ message }) => message)]);

	test("come with the answer, also unchanged ones", () => {
		const uri = toUri("/x/b.fake");
		const same = { kind: "full", items: [], relatedDocuments: { [uri]: { kind: "unchanged", resultId: "r" } } };
		return pulling([[withRelated(uri, "related")], [{ reply: same }]], async (ask) => {
			for (const own of [["own"], []]) {
				const related: Related = new Map();
				expect(await ask(related)).toEqual(own);
				expect(messages(related)).toEqual([["/x/b.fake", ["related"]]]);
			}
		});
	});

	test("are ignored if they are unchanged and were never sent", () => {
		const report = { "file:///x/b.fake": { kind: "unchanged", resultId: "r" } };
		return pulling([[{ reply: { kind: "full", items: [], relatedDocuments: report } }]], async (ask) => {
			const related: Related = new Map();
			await ask(related);
			expect(messages(related)).toEqual([]);
		});
	});

	test("of one of two providers are not complete", () => {
		const second = { id: "2", method: pull, registerOptions: { identifier: "second" } };
		const [b, c] = ["file:///x/b.fake", "file:///x/c.fake"];
		const both = {
			kind: "full",
			items: [finding("too")],
			relatedDocuments: { [c]: { kind: "full", items: [finding("second")] } },
		};
		const first = {
			kind: "full",
			items: [finding("own")],
			relatedDocuments: {
				[b]: { kind: "full", items: [] },
				[c]: { kind: "full", items: [finding("first")] },
			},
		};
		return pulling([[{ reply: first }], [{ reply: both }]], async (ask, server) => {
			server.registrations.set("2", second);
			const related: Related = new Map();
			expect(await ask(related)).toEqual(["own", "too"]);
			expect(messages(related)).toEqual([["/x/c.fake", ["first", "second"]]]);
		});
	});
});

test("a server that answers a request that it does not offer is asked, and another server without the offer is waited for", () =>
	withFake(
		{ capabilities: { diagnosticProvider: false }, on: [{ method: pull, do: [full("1", "found")] }] },
		async (fake) => {
			const server = await fake.start();
			const path = fake.write("a.fake", "x\n");
			server.documents.set(path, "fake", "x\n");
			await expect(pullDiagnostics(server, path, AbortSignal.timeout(300))).rejects.toThrow();
			Object.assign(server.config, { pullsUnoffered: true });
			expect(strategyOf(server)).toBe("pull");
			expect(await pullDiagnostics(server, path, AbortSignal.timeout(5000))).toMatchObject([{ message: "found" }]);
		},
	));
