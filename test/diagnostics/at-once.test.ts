import { expect, test } from "vitest";
import { type CheckContext, Checker } from "../../src/diagnostics/check.ts";
import { ImportGraph } from "../../src/diagnostics/import-graph.ts";
import { Ledger } from "../../src/diagnostics/ledger.ts";
import { symbolKinds } from "../../src/diagnostics/shape.ts";
import { aborter } from "../../src/util/abort.ts";
import { Pool } from "../../src/workspace/pool.ts";
import { type Fake, withFake } from "../servers/fake.ts";
import { met, notYet, until } from "../support/until.ts";

const before = "export interface A {\n\tx: number;\n}\nexport interface B {}\n";
const pull = "textDocument/diagnostic";
const symbols = "textDocument/documentSymbol";

function declaration(name: string, first: number, last: number): object {
	const character = "export interface ".length;
	const selectionRange = { start: { line: first, character }, end: { line: first, character: character + 1 } };
	return {
		name,
		kind: symbolKinds.interface,
		range: { start: { line: first, character: 0 }, end: { line: last, character: 21 } },
		selectionRange,
	};
}

/** The names of the files that a server was asked about. */
function askedAbout(fake: Fake): string[] {
	const uris = fake
		.received(pull)
		.map(({ params }) => String((params?.textDocument as { uri?: string } | undefined)?.uri));
	return uris.map((uri) => uri.slice(uri.lastIndexOf("/") + 1));
}

test("those that see an edit are asked about while its own answer is still to come, and nothing else is asked", () =>
	withFake(
		{
			capabilities: {
				diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
				documentSymbolProvider: true,
			},
			on: [
				{ method: symbols, do: [{ reply: [declaration("A", 0, 2), declaration("B", 3, 3)] }] },
				{ method: pull, nth: 1, do: [{ reply: { kind: "full", items: [] } }] },
				{ method: pull, nth: 2, do: [{ never: true }] },
			],
		},
		async (fake) => {
			const path = fake.write("a.ts", before);
			fake.write("user.ts", 'import type { A } from "./a.ts";\nexport const a: A = { x: 1 };\n');
			fake.write("other.ts", 'import type { B } from "./a.ts";\nexport const b: B = {};\n');
			const pool = new Pool((message) => void fake.log.push(message));
			const graph = new ImportGraph(fake.root);
			const checker = new Checker(pool, { graphOf: () => graph, isWatched: async () => false });
			const end = aborter();
			const located = { path, display: "a.ts", workspace: fake.root, routes: [fake.route] };
			const context: CheckContext = {
				cwd: fake.root,
				env: async () => fake.env,
				signal: end.signal,
				ledger: new Ledger(),
				call: "edit",
				later: () => {},
			};
			try {
				const after = before.replace("number", "string");
				// Without the new text nothing is asked before it is written.
				await checker.baseline(located, before, undefined, context);
				fake.write("a.ts", after);
				const checked = checker.check(located, "affected", context);
				await until("the user is asked about, and what it shows of A to others", async () =>
					askedAbout(fake).length > 2 && fake.received(symbols).length > 1
						? met(true)
						: notYet(askedAbout(fake).join()),
				);
				expect(askedAbout(fake)).toEqual(["a.ts", "a.ts", "user.ts"]);
				// What others see of the edited file was asked for its baseline, and is again only behind the answer.
				expect(fake.received(symbols).map(({ params }) => JSON.stringify(params).includes("user.ts"))).toEqual([
					false,
					true,
				]);
				end.abort();
				await checked.catch(() => {});
			} finally {
				await pool.close();
			}
		},
		{ match: ["ts"], languageId: "typescript", strategy: "pull", pullsUnopened: true },
	));
