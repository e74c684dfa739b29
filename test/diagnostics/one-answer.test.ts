import { resolve } from "node:path";
import { expect, test } from "vitest";
import type { ServerConfig } from "../../server.ts";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { LspError } from "../../src/contract/errors.ts";
import { deadline } from "../../src/util/abort.ts";
import { toUri } from "../../src/util/positions.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Rule } from "../fakes/script.ts";
import { withChecker } from "./checking.ts";
import { wrong } from "./sample.ts";

const dependents = Array.from({ length: 25 }, (_, index) => `d${index}.ts`);

/** Checks `a.ts`, which `b.ts` imports, which all the others import, with all affected files. */
function checked(
	capabilities: object,
	rules: (fake: Fake) => readonly Rule[],
	config: Partial<ServerConfig>,
	look: (report: CheckReport, fake: Fake) => void,
	signal?: () => AbortSignal,
): Promise<void> {
	return withFake(
		{},
		async (fake) => {
			const path = fake.write("a.ts", "export const x = 1;\n");
			fake.write("b.ts", 'import { x } from "./a.ts";\nexport const y = x;\n');
			for (const name of dependents) fake.write(name, 'import { y } from "./b.ts";\n');
			const diagnosticProvider = { interFileDependencies: true, workspaceDiagnostics: true };
			fake.script({ capabilities: { diagnosticProvider, ...capabilities }, on: rules(fake) });
			fake.write("../elsewhere.ts", "export {};\n");
			// A file that has just changed is not taken from an answer about another one.
			await new Promise((resolve) => setTimeout(resolve, 60));
			await withChecker(fake, async ({ checker, context }) => {
				const located = { path, display: "a.ts", workspace: fake.root, routes: [fake.route] };
				look(await checker.check(located, "affected", context(signal && { signal: signal() })), fake);
			});
		},
		{ match: ["ts"], languageId: "typescript", pullsUnopened: true, ...config },
	);
}

/** The files that were requested one by one. */
function askedAbout(fake: Fake): (string | undefined)[] {
	const pulls = fake.received("textDocument/diagnostic");
	return pulls.map(({ params }) =>
		String((params?.textDocument as { uri?: string } | undefined)?.uri)
			.split("/")
			.at(-1),
	);
}

test("errors of another file in the answer for the edited one are in the report, without a request for that file", () =>
	checked(
		{},
		({ root }) => {
			const relatedDocuments = {
				[toUri(`${root}/d3.ts`)]: { kind: "full", items: [wrong("broken by a")] },
				[toUri(resolve(root, "../elsewhere.ts"))]: { kind: "full", items: [wrong("foreign")] },
			};
			const reply = { kind: "full", items: [], relatedDocuments };
			return [{ method: "textDocument/diagnostic", nth: 1, do: [{ reply }] }];
		},
		{},
		({ files }, fake) => {
			expect(files.filter(({ diagnostics }) => diagnostics.length)).toMatchObject([
				{ path: "d3.ts", role: "affected", state: "fresh", diagnostics: [{ message: "broken by a" }] },
			]);
			expect(files).toHaveLength(2 + dependents.length);
			expect(askedAbout(fake)).not.toContain("d3.ts");
		},
	));

const wholeProject = ({ root }: Fake): readonly Rule[] => {
	const items = [{ uri: toUri(`${root}/d24.ts`), version: null, kind: "full", items: [wrong("broken by a")] }];
	return [{ method: "workspace/diagnostic", do: [{ reply: { items } }] }];
};

test("many files that depend on the edited one are proven by one request", () =>
	checked({}, wholeProject, { pullsWorkspace: true }, ({ files, omitted }, fake) => {
		expect(files.filter(({ diagnostics }) => diagnostics.length)).toMatchObject([
			{ path: "d24.ts", role: "affected", state: "fresh", diagnostics: [{ message: "broken by a" }] },
		]);
		expect(files).toHaveLength(2 + dependents.length);
		expect(omitted.files).toBe(0);
		expect(askedAbout(fake).filter((name) => name?.startsWith("d"))).toEqual([]);
	}));

test("files are requested one by one if the server's answer for all is not known to be exact", () =>
	checked({}, wholeProject, {}, ({ files }, fake) => {
		expect(files.flatMap(({ diagnostics }) => diagnostics)).toEqual([]);
		expect(askedAbout(fake).filter((name) => name?.startsWith("d"))).toHaveLength(dependents.length);
	}));

test("a file that the server does not answer for is counted, and does not affect the others", async () => {
	const refusing = (last: number) => (): readonly Rule[] => [
		{ method: "textDocument/diagnostic", nth: 1, do: [{ reply: { kind: "full", items: [wrong("own")] } }] },
		...Array.from({ length: last - 1 }, (_, index) => ({
			method: "textDocument/diagnostic",
			nth: index + 2,
			do: [{ error: { code: -32603, message: "no such document" } }],
		})),
	];
	const own = { path: "a.ts", state: "fresh", diagnostics: [{ message: "own" }] };
	// The file is requested once, since the second search reaches it.
	await checked({}, refusing(2), { pullsUnopened: false }, ({ files, omitted }) => {
		expect(files[0]).toMatchObject(own);
		expect(files).toHaveLength(2 + dependents.length);
		expect(omitted.files).toBe(0);
	});
	await checked({}, refusing(1000), { pullsUnopened: false }, ({ files, omitted }) => {
		expect(files).toMatchObject([own]);
		expect(omitted.files).toBe(1 + dependents.length);
	});
});

test("files that the time limit does not reach are counted, and do not affect those that were proven", () => {
	const silent = (): readonly Rule[] => [
		{ method: "textDocument/diagnostic", nth: 1, do: [{ reply: { kind: "full", items: [wrong("own")] } }] },
		{ method: "textDocument/diagnostic", do: [] },
	];
	return checked(
		{},
		silent,
		{ pullsUnopened: false },
		({ files, omitted }) => {
			expect(files).toMatchObject([{ path: "a.ts", state: "fresh", diagnostics: [{ message: "own" }] }]);
			expect(omitted.files).toBe(1 + dependents.length);
		},
		() => deadline(1500, () => new LspError("LSP_SERVER_TIMEOUT", "no more time")).signal,
	);
});

test("the server's suggestion is in the report", () => {
	const unknown = (): readonly Rule[] => [
		{ method: "textDocument/diagnostic", do: [{ reply: { kind: "full", items: [wrong("undefined: y")] } }] },
		{ method: "textDocument/codeAction", do: [{ reply: [{ title: "Change spelling to 'x'" }] }] },
	];
	return checked({ codeActionProvider: true }, unknown, {}, ({ files }) => {
		expect(files[0]?.diagnostics).toMatchObject([{ message: "undefined: y", suggestion: "write 'x'" }]);
		for (const { diagnostics } of files.slice(1))
			for (const found of diagnostics) expect(found.suggestion).toBe(undefined);
	});
});
