import { expect, test } from "vitest";
import { AffectedFiles } from "../../src/diagnostics/affected-files.ts";
import { FileIndex } from "../../src/impact/index/file-index.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Rule } from "../fakes/script.ts";
import { met, notYet, until } from "../support/until.ts";
import { withChecker } from "./checking.ts";

const pull = "textDocument/diagnostic";
const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
const wrong = { kind: "full", items: [{ range, severity: 1, message: "wrong" }] };

test("An error that is known is still reported when the server's time for other files ends before it is proven again", () => {
	const answersIn = (root: string): Rule[] => [
		{ method: pull, nth: 2, do: [{ waitFor: `${root}/go` }, { reply: { kind: "full", items: [] } }] },
		{ method: pull, do: [{ reply: wrong }] },
	];
	const capabilities = { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false } };
	const body = (fake: Fake) =>
		withChecker(fake, async ({ pool, session }) => {
			fake.script({ capabilities, on: answersIn(fake.root) });
			const index = new FileIndex(fake.root);
			const indexes = { indexOf: () => index, importIndex: async () => ({ index, watched: true }) };
			const context = { pool, route: fake.route, workspace: fake.root, session, indexes };
			const affected = session.beginAffected(fake.route, () => new AffectedFiles(context));
			const call = {
				env: async () => fake.env,
				maxServerMs: 0,
				elsewhere: async () => false,
				judgedBy: async () => [],
			};
			const reported = async () => (await affected.currentFindings()).files.map(({ path }) => path);
			fake.write("a.ts", "export const a = 1;\n");
			const user = fake.write("user.ts", 'import { a } from "./a.ts";\na;\n');
			affected.addUser(user, undefined, call);
			await affected.settled(AbortSignal.timeout(20_000));
			expect(await reported()).toEqual([user]);
			// The daemon behaves the same: its watcher reports the change, and nothing waits for the answer in flight.
			const server = pool.running(fake.route);
			if (server) server.documents.isWatched = () => true;

			affected.addUser(fake.write("other.ts", ""), undefined, call);
			await until("the other file is asked about", () =>
				fake.received(pull).length === 2 ? met(true) : notYet("only the user is"),
			);
			server?.snapshot.filesChanged([fake.write("a.ts", 'export const a = "";\n')]);
			expect(await reported()).toEqual([]);
			fake.write("go", "");
			await affected.settled(AbortSignal.timeout(20_000));
			expect(await affected.currentFindings()).toMatchObject({ files: [{ path: user }], missed: [] });
		});
	return withFake({}, body, { match: ["ts"], languageId: "typescript" });
});
