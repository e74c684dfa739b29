import { expect, test } from "vitest";
import { symbolKinds } from "../../src/diagnostics/shape.ts";
import { type Fake, withFake } from "../servers/fake.ts";
import { met, notYet, until } from "../support/until.ts";
import { withChecker } from "./checking.ts";

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
		(fake) =>
			withChecker(fake, async ({ checker, located, context, end }) => {
				const edited = located("a.ts", before);
				fake.write("user.ts", 'import type { A } from "./a.ts";\nexport const a: A = { x: 1 };\n');
				fake.write("other.ts", 'import type { B } from "./a.ts";\nexport const b: B = {};\n');
				const whom = context({ call: "edit", later: () => {} });
				// Without the new text nothing is asked before it is written.
				await checker.baseline(edited, before, undefined, whom);
				fake.write("a.ts", before.replace("number", "string"));
				const checked = checker.check(edited, "affected", whom);
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
				end();
				await checked.catch(() => {});
			}),
		{ match: ["ts"], languageId: "typescript", strategy: "pull", pullsUnopened: true },
	));
