import { expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import type { Proof } from "../../src/diagnostics/sources/prove.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Rule } from "../fakes/script.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Checking, withChecker } from "./checking.ts";
import { wrong } from "./sample.ts";

const pull = "textDocument/diagnostic";
const broken = { kind: "full", items: [wrong("broken")] };
const clean = { kind: "full", items: [] };
const before = "let x = 1;\n";
const after = "let x = 2;\n";

interface Scene extends Checking {
	readonly fake: Fake;
	/** Announces an edit of `a.ts` with the text that it will write, and waits until that text is proven. */
	announce(until?: number): Promise<{ readonly call: string; readonly proven: readonly (readonly [Proof, Proof])[] }>;
	/** Checks the file on disk. */
	check(call: string): Promise<CheckReport>;
	/** The texts that the server was shown, in order. */
	texts(): unknown[];
}

/** The first of the pulls is about the text before the edit. */
function withScene<T>(rules: readonly Rule[], body: (scene: Scene) => Promise<T>): Promise<T> {
	const capabilities = {
		textDocumentSync: 1,
		diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
	};
	return withFake(
		{ capabilities, on: [...rules, { method: pull, do: [{ reply: clean }] }] },
		(fake) =>
			withChecker(fake, async (checking) => {
				const { checker, context } = checking;
				const a = checking.located("a.ts", before);
				const announce = async (ms = 60_000) => {
					const call = String(Math.random());
					const proven: [Proof, Proof][] = [];
					const ahead = {
						until: performance.now() + ms,
						hints: false,
						proven: (...both: [Proof, Proof]) => void proven.push(both),
					};
					await checker.baseline(a, before, after, context({ call, ahead }));
					return { call, proven };
				};
				const check = (call: string) => checker.check(a, "file", context({ call }));
				const texts = () => [
					...fake.received("textDocument/didOpen").map(({ params }) => params?.textDocument),
					...fake.received("textDocument/didChange").map(({ params }) => params?.contentChanges),
				];
				return body({ ...checking, fake, announce, check, texts });
			}),
		{ match: ["ts"], languageId: "typescript", strategy: "pull" },
	);
}

const nth = (n: number, ...steps: Rule["do"]): Rule => ({ method: pull, nth: n, do: steps });

test("a proof from before the write is the answer of the check, which sends the server no more requests", () =>
	withScene([nth(2, { reply: broken })], async (scene) => {
		const { call, proven } = await scene.announce();
		expect(proven.map(([old, next]) => [old.text, next.text])).toEqual([[before, after]]);
		scene.fake.write("a.ts", after);
		const { files } = await scene.check(call);
		expect(files[0]?.diagnostics.map(({ message, new: isNew }) => [message, isNew])).toEqual([["broken", true]]);
		expect(scene.fake.received(pull)).toHaveLength(2);
	}));

test("the server has the old text again when the new one is proven", () =>
	withScene([], async ({ announce, texts }) => {
		await announce();
		// The fake writes its record a moment after it has received a message.
		const shown = await until("the server is shown three texts", async () =>
			texts().length === 3 ? met(texts()) : notYet(`${texts().length}`),
		);
		expect(shown).toMatchObject([{ text: before }, [{ text: after }], [{ text: before }]]);
	}));

test("a text on disk that is not the announced one is requested", () =>
	withScene([nth(2, { reply: broken })], async ({ announce, check, fake }) => {
		const { call } = await announce();
		fake.write("a.ts", "let x = 3;\n");
		expect((await check(call)).files[0]?.diagnostics).toEqual([]);
		expect(fake.received(pull)).toHaveLength(3);
	}));

test("a proof from before a change of another file is not used", () =>
	withScene([nth(2, { reply: broken })], async ({ announce, check, fake, pool }) => {
		const { call } = await announce();
		fake.write("a.ts", after);
		pool.running(fake.route)?.snapshot.textChanged("/other.ts", { hash: "1", text: "1" }, { hash: "2", text: "2" });
		expect((await check(call)).files[0]?.diagnostics).toEqual([]);
		expect(fake.received(pull)).toHaveLength(3);
	}));

test("a server that does not answer in time is not waited for, and asked again for the check", () =>
	withScene([nth(2, { never: true }), nth(3, { reply: broken })], async ({ announce, check, fake }) => {
		// The earlier text is known then, and the new one is requested at once.
		await check("warm-up");
		const { call, proven } = await announce(2_000);
		expect(proven).toEqual([]);
		fake.write("a.ts", after);
		expect((await check(call)).files[0]?.diagnostics).toHaveLength(1);
	}));

test("another caller that waits for the server is not blocked by a text that is only proven ahead", () =>
	withScene([nth(2, { never: true })], async ({ announce, fake, pool }) => {
		const announced = announce();
		await until("the new text is asked about", async () =>
			fake.received(pull).length === 2 ? met(true) : notYet("not asked"),
		);
		const server = pool.running(fake.route);
		await server?.turns.read(async () => {});
		expect((await announced).proven).toEqual([]);
	}));
