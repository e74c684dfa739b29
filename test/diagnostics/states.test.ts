import { expect, test } from "vitest";
import type { ServerConfig } from "../../server.ts";
import type { CheckReport } from "../../src/contract/check-report.ts";
import { EditSession } from "../../src/diagnostics/edit-session.ts";
import { followFlychecks } from "../../src/diagnostics/sources/flycheck.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Script } from "../fakes/script.ts";
import { withChecker } from "./checking.ts";

const finding = {
	range: { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } },
	severity: 1,
	message: "wrong",
};

function pulling(items: readonly object[]): Script {
	return {
		capabilities: { diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false } },
		on: [
			{ method: "initialized", do: [{ notify: "experimental/serverStatus", params: { quiescent: true } }] },
			{ method: "textDocument/diagnostic", do: [{ reply: { kind: "full", items } }] },
		],
	};
}

/** Checks a file with the fake server, once for each of the configurations. */
function checked(
	script: Script,
	configs: readonly Partial<ServerConfig>[],
	look: (report: CheckReport, fake: Fake) => void,
): Promise<void> {
	return withFake(script, (fake) =>
		withChecker(fake, async ({ pool, checker, located, context }) => {
			pool.onStarted = followFlychecks;
			const routes = configs.map((over, index) => ({
				...fake.route,
				config: { ...fake.config, id: `fake-${index}`, ...over },
			}));
			look(await checker.check({ ...located("a.fake", "x\n"), routes }, "file", context()), fake);
		}),
	);
}

test("a server that finds less without trust never proves a file clean", async () => {
	for (const strategy of ["pull", "flycheck"] as const)
		await checked(pulling([]), [{ strategy, partial: true }], ({ files, servers }, fake) => {
			expect(files).toMatchObject([
				{ state: "untrusted", diagnostics: [], reason: expect.stringContaining("without trust") },
			]);
			expect(servers).toMatchObject([{ state: "untrusted", strategy }]);
			expect(fake.received("textDocument/didSave")).toEqual([]);
		});
});

test("errors that a server finds without trust are reported", () =>
	checked(pulling([finding]), [{ partial: true }], ({ files }) => {
		expect(files).toMatchObject([{ state: "untrusted", diagnostics: [{ message: "wrong" }] }]);
	}));

test("the same answer of a trusted server is clean", () =>
	checked(pulling([]), [{}], ({ files }) => expect(files).toMatchObject([{ state: "fresh", diagnostics: [] }])));

test("a server that reports no diagnostics is not started for them, and a file with no other server is not called clean", () =>
	checked(pulling([]), [{ diagnoses: false }], ({ files, servers }, fake) => {
		expect(files).toMatchObject([{ state: "unsupported", reason: expect.stringContaining("no diagnostics") }]);
		expect(servers).toMatchObject([{ id: "fake-0", state: "unsupported" }]);
		expect(fake.starts()).toBe(0);
	}));

test("a server that reports no diagnostics does not affect the others", () =>
	checked(pulling([finding]), [{ diagnoses: false }, {}], ({ files, servers }, fake) => {
		expect(files).toMatchObject([{ state: "fresh", diagnostics: [{ message: "wrong" }] }]);
		expect(servers.map(({ id }) => id)).toEqual(["fake-1"]);
		expect(fake.starts()).toBe(1);
	}));

test("an error of an edit whose baseline could not be proven is not old just because another caller has seen it", () =>
	withFake(pulling([finding]), (fake) =>
		withChecker(fake, async ({ checker, context, located }) => {
			const before = "right\n";
			const file = located("a.fake", before);
			const given = context({ call: "first", signal: AbortSignal.abort() });
			await expect(checker.baseline(file, before, "wrong\n", given)).resolves.toBeUndefined();
			located("a.fake", "wrong\n");
			await checker.check(file, "file", context({ session: new EditSession() }));
			// The session's own check of its edit comes after its next write.
			located("a.fake", "wrong again\n");
			const { files } = await checker.check(file, "affected", context({ call: "first" }));
			expect(files[0]?.diagnostics).toMatchObject([{ message: "wrong" }]);
			expect(files[0]?.diagnostics[0]?.new).toBeUndefined();
		}),
	));

test("Why the text before an edit is not proven is in the log at LSP_DEBUG=1", () => {
	const refused = { code: -32603, message: "out of order" };
	const script = { ...pulling([]), on: [{ method: "textDocument/diagnostic", do: [{ error: refused }] }] };
	return withFake(script, (fake) =>
		withChecker(fake, async ({ pool, checker, located, context }) => {
			pool.debug = 1;
			const file = located("a.fake", "x\n");
			expect(await checker.baseline(file, "x\n", undefined, context({ call: "1" }))).toBeUndefined();
			expect(fake.log).toContain("baseline not proven");
		}),
	);
});
