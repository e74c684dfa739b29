import { basename } from "node:path";
import { describe, expect, test } from "vitest";
import type { Located } from "../../src/routing/locate.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import { type Checking, withChecker } from "./checking.ts";

const pull = "textDocument/diagnostic";
const script = {
	capabilities: { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false } },
	on: [{ method: pull, do: [{ reply: { kind: "full", items: [] } }] }],
};
const before = "export const x: number = 1;\n";
const after = "export const x: string = '';\n";
const user = 'import { x } from "./a.ts";\nx;\n';

interface Scene extends Checking {
	readonly fake: Fake;
	/** The edited file. */
	readonly a: Located;
}

function withScene<T>(body: (scene: Scene) => Promise<T>): Promise<T> {
	return withFake(
		script,
		(fake) => withChecker(fake, async (checking) => body({ ...checking, fake, a: checking.located("a.ts", before) })),
		{ match: ["ts"], languageId: "typescript" },
	);
}

/** The processes that a file was requested from. */
function processesAskedAbout(fake: Fake, name: string): number[] {
	const asked = fake.record().filter(({ got }) => {
		const { uri = "" } = (got?.params?.textDocument ?? {}) as { readonly uri?: string };
		return got?.method === pull && basename(uri) === name;
	});
	return [...new Set(asked.map(({ pid }) => pid))];
}

describe("files affected by an edit are", () => {
	test("proven by the server of that edit, once the repository is trusted", () =>
		withScene(async ({ fake, checker, context, located, a, pool }) => {
			located("b.ts", user);
			await checker.check(a, "affected", context());
			const route = { ...fake.route, trusted: true };
			fake.write("a.ts", after);
			await checker.check({ ...a, routes: [route] }, "affected", context());
			const servers = [fake.route, route].map((each) => pool.running(each)?.pid);
			expect(new Set(servers).size).toBe(2);
			expect(processesAskedAbout(fake, "b.ts")).toEqual(servers);
		}));

	test("left to that server alone, if it replaces the other one", () =>
		withScene(async ({ fake, checker, context, a, session }) => {
			const [untrusted, trusted] = [false, true].map((trusted) => ({ ...fake.route, trusted, callerKey: "caller" }));
			for (const route of [untrusted, trusted])
				await checker.check({ ...a, routes: route ? [route] : [] }, "affected", context());
			expect(session.affected).toEqual([trusted && session.affectedAt(trusted)]);
		}));

	test("located by the call of that edit, whose settings may have changed", () =>
		withScene(async ({ fake, checker, context, a }) => {
			fake.write("View.vue", `<script setup lang="ts">\n${user}</script>\n`);
			const first = await checker.check(a, "affected", context());
			expect(first.omitted.files).toBe(1);
			const asked: string[] = [];
			const locate = async (path: string): Promise<Located> => {
				asked.push(basename(path));
				return { ...a, path };
			};
			fake.write("a.ts", after);
			const second = await checker.check(a, "affected", context({ locate }));
			expect(asked).toEqual(["View.vue"]);
			expect(second.omitted.files).toBe(0);
		}));
});

describe("a baseline is", () => {
	test("not compared with what another server proves", () =>
		withScene(async ({ fake, checker, context, a, pool }) => {
			await checker.baseline(a, before, after, context({ call: "1" }));
			const error = { range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } }, severity: 1 };
			const found = { kind: "full", items: [{ ...error, message: "found with trust" }] };
			fake.script({ ...script, on: [{ method: pull, do: [{ reply: found }] }] });
			const route = { ...fake.route, trusted: true };
			const report = await checker.check({ ...a, routes: [route] }, "file", context({ call: "1" }));
			expect(pool.size).toBe(2);
			expect(report.files[0]?.diagnostics).toMatchObject([{ message: "found with trust" }]);
			expect(report.files[0]?.diagnostics[0]?.new).toBeUndefined();
		}));
});
