import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { isWorthReporting } from "../../src/diagnostics/other-findings.ts";
import { collectPushes } from "../../src/diagnostics/sources/push.ts";
import type { Located } from "../../src/routing/locate.ts";
import { toUri } from "../../src/util/positions.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Rule } from "../fakes/script.ts";
import { met, never, notYet, until } from "../support/until.ts";
import { type Checking, withChecker } from "./checking.ts";
import { wrong } from "./sample.ts";

const pull = "textDocument/diagnostic";
const clean = { kind: "full", items: [] };
const capabilities = { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false } };
const broken = { kind: "full", items: [wrong("broken")] };
const before = "export const x: number = 1;\n";
const after = "export const x: string = '';\n";
const uses = 'import { x } from "./a.ts";\nx;\n';

interface Scene extends Omit<Checking, "located"> {
	readonly fake: Fake;
	/** The edited file, which `b.ts` and `c.ts` use. */
	readonly a: Located;
	readonly b: Located;
	/** Announces an edit of `a.ts`, writes it and checks it, as pi does. */
	edit(text?: string, old?: string): Promise<CheckReport>;
	/** The requests that the server got, in order. */
	asked(): string[];
	/** The requests that were cancelled. */
	cancelled(): number;
	/** Waits until the server got a request. */
	hears(what: string, times?: number): Promise<unknown>;
}

/** A server that answers one request at a time; `rules` are for its pulls, counted from the first. */
function withScene<T>(rules: readonly Rule[], body: (scene: Scene) => Promise<T>): Promise<T> {
	return withFake(
		{ capabilities, on: [...rules, { method: pull, do: [{ reply: clean }] }] },
		(fake) =>
			withChecker(fake, async (checking) => {
				const { checker, context } = checking;
				const [a, b] = [checking.located("a.ts", before), checking.located("b.ts", uses)];
				checking.located("c.ts", uses);
				const edit = async (text = after, old = before) => {
					const call = String(Math.random());
					void checker.baseline(a, old, text, context({ call }));
					fake.write("a.ts", text);
					return checker.check(a, "affected", context({ call, graceMs: 1 }));
				};
				const asked = () => fake.received(pull).map(({ params }) => nameOf(params));
				const cancelled = () => fake.received("$/cancelRequest").length;
				const hears = (what: string, times = 1) =>
					until(`the server is asked about ${what}`, async () =>
						asked().filter((name) => name === what).length >= times ? met(true) : notYet(asked().join(", ")),
					);
				return body({ ...checking, fake, a, b, edit, asked, cancelled, hears });
			}),
		{ match: ["ts"], languageId: "typescript", ...oneAtATime },
	);
}

/** A server like pyright, which does not work in parallel. */
const oneAtATime = { strategy: "pull", pullsUnopened: true, doubtfulUnchanged: true } as const;

function nameOf(params: Readonly<Record<string, unknown>> | undefined): string {
	const { uri = "" } = (params?.textDocument ?? {}) as { readonly uri?: string };
	return uri.slice(uri.lastIndexOf("/") + 1);
}

function failing({ files }: CheckReport): string[] {
	return files.filter(({ diagnostics }) => diagnostics.length > 0).map(({ path }) => path);
}

/** The first two pulls are for the edited file, before and after the edit. */
const nth = (n: number, ...steps: Rule["do"]): Rule => ({ method: pull, nth: n, do: steps });

describe("the work behind an edit's answer", () => {
	test("is not waited for beyond the grace period, and its results are reported when it is done", () =>
		withScene([nth(3, { delay: 400 }, { reply: broken })], async ({ edit, session, fake }) => {
			const report = await edit();
			expect(failing(report)).toEqual([]);
			const look = session.affectedAt(fake.route);
			await look?.settled(AbortSignal.timeout(10_000));
			const found = await look?.currentFindings();
			expect(found?.files.filter(({ diagnostics }) => diagnostics.length > 0)).toHaveLength(1);
		}));

	test("sends one request at a time to a server that answers one at a time", () =>
		withScene([nth(3, { never: true })], async ({ edit, hears, asked }) => {
			await edit();
			await hears("b.ts");
			expect(asked().filter((name) => name !== "a.ts")).toEqual(["b.ts"]);
		}));

	// The files are found in the order in which they have been read, which may be either.
	test.each([
		["c.ts", "d.ts"],
		["d.ts", "c.ts"],
	])("begins with %s for which the server has published errors by itself, not with %s and its warning", (bad, good) =>
		withScene([], async ({ edit, asked, pool, session, fake }) => {
			const published = (name: string, diagnostics: readonly object[]) => {
				const params = { uri: toUri(fake.write(name, uses)), diagnostics };
				return { notify: "textDocument/publishDiagnostics", params };
			};
			const pushes = [published(good, [{ ...wrong("unused"), severity: 2 }]), published(bad, [wrong("broken")])];
			const rules = [
				{ method: "textDocument/didChange", do: pushes },
				{ method: pull, do: [{ reply: clean }] },
			];
			fake.script({ capabilities, on: rules });
			const settled = () => session.affectedAt(fake.route)?.settled(AbortSignal.timeout(10_000));
			await edit();
			await settled();
			const others = () => asked().filter((name) => name !== "a.ts");
			expect(others().sort()).toEqual(["b.ts", "c.ts", "d.ts"]);
			const server = pool.running(fake.route);
			if (!server) throw new Error("no server runs");
			collectPushes(server);
			await edit(before);
			await settled();
			// The first file is requested before the others are found.
			expect(others().slice(3)).toEqual(["b.ts", bad, good]);
		}),
	);

	test("compares files that name the change with their earlier diagnostics, before files that only may be affected", () => {
		// The third request is about b.ts; when its earlier text is requested, some others have been requested.
		const rules = [nth(3, { reply: broken }), nth(9, { never: true })];
		return withScene(rules, async ({ edit, fake, session }) => {
			fake.write("b.ts", 'import { x } from "./a.ts";\nexport const y = x;\n');
			const users = Array.from({ length: 25 }, (_, i) => `user${i}.ts`);
			for (const user of users) fake.write(user, 'import { y } from "./b.ts";\ny;\n');
			await edit();
			const look = session.affectedAt(fake.route);
			await look?.settled(AbortSignal.timeout(10_000), true);
			expect((await look?.currentFindings())?.files.filter(isWorthReporting).map(({ path }) => basename(path))).toEqual(
				["b.ts"],
			);
			expect(look?.left.length).toBeGreaterThan(20);
		});
	});

	test("searches for files that only may be affected when little is left to request", () =>
		withScene([nth(9, { never: true })], async ({ edit, hears, fake, session }) => {
			const near = Array.from({ length: 40 }, (_, i) => `near${i + 10}.ts`);
			for (const user of near) fake.write(user, 'import { x } from "./a.ts";\nexport const y = x;\n');
			fake.write("far.ts", 'import { y } from "./near10.ts";\ny;\n');
			await edit();
			await hears("near14.ts");
			const left = session.affectedAt(fake.route)?.left.map((path) => basename(path)) ?? [];
			expect(left).toContain("near49.ts");
			expect(left).not.toContain("far.ts");
		}));

	test("is cancelled for the next edit, and continues after it", () =>
		withScene([nth(3, { never: true })], async ({ edit, hears, asked, cancelled, session, fake }) => {
			await edit();
			await hears("b.ts");
			await edit(`${after}// more\n`);
			expect(cancelled()).toBe(1);
			await session.affectedAt(fake.route)?.settled(AbortSignal.timeout(10_000));
			expect(asked().filter((name) => name === "b.ts").length).toBeGreaterThan(1);
			expect(asked()).toContain("c.ts");
		}));

	test("yields to a query", () =>
		withScene([nth(3, { never: true })], async ({ edit, hears, cancelled, pool, fake, context }) => {
			await edit();
			await hears("b.ts");
			const { env, signal } = context();
			await pool.use(fake.route, { workspace: fake.root, env, signal }, async () => {
				await until("the question behind is cancelled", async () =>
					cancelled() > 0 ? met(true) : notYet("it is not"),
				);
			});
			await hears("b.ts", 2);
		}));

	test("yields to a query while a command runs", () =>
		withScene([nth(3, { never: true })], async ({ edit, hears, cancelled, pool, fake, context }) => {
			await edit();
			await hears("b.ts");
			let end = () => {};
			const paused = pool.pauseBackground(new Promise((resolve) => (end = resolve)));
			const { env, signal } = context();
			await pool.use(fake.route, { workspace: fake.root, env, signal }, () =>
				until("the question behind is cancelled", async () => (cancelled() > 0 ? met(true) : notYet("it is not"))),
			);
			end();
			await paused;
			await hears("b.ts", 2);
		}));

	test("begins nothing new while a command runs, and cancels nothing", () =>
		withScene(
			[nth(3, { delay: 500 }, { reply: clean })],
			async ({ edit, hears, asked, cancelled, pool, session, fake }) => {
				await edit();
				await hears("b.ts");
				let end = () => {};
				const paused = pool.pauseBackground(new Promise((resolve) => (end = resolve)));
				const look = session.affectedAt(fake.route);
				await until("the answer is known", async () =>
					look?.left.some((path) => basename(path) === "b.ts") ? notYet("it is not") : met(true),
				);
				expect(asked()).not.toContain("c.ts");
				end();
				await paused;
				await look?.settled(AbortSignal.timeout(10_000));
				expect(asked()).toContain("c.ts");
				expect(cancelled()).toBe(0);
			},
		));

	test("keeps the earlier diagnostics of other files that a query has interrupted", () =>
		withScene(
			[nth(3, { reply: broken }), nth(4, { reply: broken }), nth(6, { never: true })],
			async ({ edit, hears, asked, cancelled, pool, fake, session, context }) => {
				await edit();
				// One of `b.ts` and `c.ts` is proven with the text from before the edit, the other is requested.
				await hears("c.ts", 2);
				const { env, signal } = context();
				await pool.use(fake.route, { workspace: fake.root, env, signal }, async () => {
					await until("the question is cancelled", async () => (cancelled() > 0 ? met(true) : notYet("it is not")));
				});
				const look = session.affectedAt(fake.route);
				await look?.settled(AbortSignal.timeout(10_000));
				expect(asked().slice(2)).toEqual(["b.ts", "c.ts", "b.ts", "c.ts", "c.ts"]);
				expect(
					(await look?.currentFindings())?.files.filter(isWorthReporting).map(({ path }) => basename(path)),
				).toEqual(["b.ts", "c.ts"]);
			},
		));

	test("continues on a server that was restarted", () =>
		withScene([{ method: pull, nth: 3, generation: 1, do: [{ crash: 1 }] }], async ({ edit, hears, session, fake }) => {
			await edit();
			await hears("c.ts");
			await session.affectedAt(fake.route)?.settled(AbortSignal.timeout(10_000));
			expect(fake.starts()).toBe(2);
			expect((await session.affectedAt(fake.route)?.currentFindings())?.missed).toEqual([]);
		}));

	test("begins with the changes on disk, of which the server is notified before each request", () =>
		withScene([], async ({ edit, pool, fake, session }) => {
			await edit(`${before}// Why.\n`);
			const server = pool.running(fake.route);
			if (!server) throw new Error("no server runs");
			const changed = "workspace/didChangeWatchedFiles";
			server.sendChanges = async () => server.notify(changed, { changes: [] });
			await edit();
			await session.affectedAt(fake.route)?.settled(AbortSignal.timeout(10_000));
			const heard = fake.record().flatMap(({ got }) => {
				if (got?.method === changed) return "disk";
				return got?.method === pull ? nameOf(got.params) : [];
			});
			expect(heard[heard.indexOf("b.ts") - 1]).toBe("disk");
			expect(heard[heard.indexOf("c.ts") - 1]).toBe("disk");
		}));

	test("ends with its session, and nothing more is requested", () =>
		withScene([nth(3, { never: true })], async ({ edit, hears, cancelled, session, fake, asked }) => {
			await edit();
			await hears("b.ts");
			session.close();
			await until("the question is cancelled", async () => {
				if (asked().includes("c.ts")) return never("another file was asked about");
				return cancelled() > 0 ? met(true) : notYet("it is not");
			});
			await session.affectedAt(fake.route)?.settled(AbortSignal.timeout(10_000));
		}));

	/** The other files in which the session has new errors, after all are proven. */
	const newlyBroken = async ({ session, fake }: Scene) => {
		const look = session.affectedAt(fake.route);
		await look?.settled(AbortSignal.timeout(10_000));
		const found = await look?.currentFindings();
		return found?.files
			.filter(({ diagnostics }) => diagnostics.some((each) => each.new))
			.map(({ path }) => basename(path));
	};

	const judged: Rule = {
		method: pull,
		judges: { file: "/b.ts", by: "/a.ts", has: after },
		do: [{ reply: broken }],
	};
	test.each([
		["has not proven yet when the next edit comes", false, [nth(7, { never: true }), judged]],
		["has proven and not reported", true, [judged]],
	])("reports an error again that comes back after a repair which it %s", (_, isProven, rules) =>
		withScene(rules, async (scene) => {
			const { edit, session, fake, hears } = scene;
			await edit();
			expect(await newlyBroken(scene)).toEqual(["b.ts"]);
			const look = session.affectedAt(fake.route);
			if (look) look.reported(await look.currentFindings());
			await edit(before, after);
			await hears("b.ts", 3);
			if (isProven) await look?.settled(AbortSignal.timeout(10_000));
			await edit(after, before);
			expect(await newlyBroken(scene)).toEqual(["b.ts"]);
		}),
	);

	test("reports nothing that a later edit has fixed", () =>
		withScene([nth(3, { reply: broken })], async ({ edit, session, fake }) => {
			await edit();
			const look = session.affectedAt(fake.route);
			await look?.settled(AbortSignal.timeout(10_000));
			await edit(before);
			await look?.settled(AbortSignal.timeout(10_000));
			const found = await look?.currentFindings();
			expect(found?.files.filter(({ diagnostics }) => diagnostics.length > 0)).toEqual([]);
		}));
});

describe("an edit that changes nothing for other files", () => {
	test.each([
		["a comment", `// Why.\n${before}`],
		["white space", before.replace(" = ", "  =  ")],
		["a private name", `${before}const own = 1;\n`],
		["an initial value under a declared type", before.replace("1", "2")],
	])("%s requests the edited file alone", (_, text) =>
		withScene([], async ({ edit, asked, session, fake }) => {
			await edit(text);
			await session.affectedAt(fake.route)?.settled(AbortSignal.timeout(10_000));
			expect(new Set(asked())).toEqual(new Set(["a.ts"]));
		}),
	);

	test("requests no other file for a name that is new", () =>
		withScene([], async ({ edit, asked, session, fake }) => {
			await edit(`${before}export const y = 1;\n`);
			await session.affectedAt(fake.route)?.settled(AbortSignal.timeout(10_000));
			expect(new Set(asked())).toEqual(new Set(["a.ts"]));
		}));
});
