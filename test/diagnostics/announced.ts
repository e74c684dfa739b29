import { expect } from "vitest";
import type { ServerConfig } from "../../server.ts";
import { symbolKinds } from "../../src/diagnostics/shape.ts";
import type { CheckReport } from "../../src/findings.ts";
import type { Located } from "../../src/workspace/locate.ts";
import { type Fake, withFake } from "../servers/fake.ts";
import type { Rule } from "../servers/script.ts";
import { met, notYet, until } from "../support/until.ts";
import { type Checking, withChecker } from "./checking.ts";

export const before = "export interface A {\n\tx: number;\n}\n";
export const after = "export interface A {\n\tx: WRONG;\n}\n";
const user = 'import type { A } from "./a.ts";\nexport const a: A = { x: 1 };\n';
export const pull = "textDocument/diagnostic";
const symbols = "textDocument/documentSymbol";

const declaration = {
	name: "A",
	kind: symbolKinds.interface,
	range: { start: { line: 0, character: 0 }, end: { line: 2, character: 1 } },
	selectionRange: { start: { line: 0, character: 17 }, end: { line: 0, character: 18 } },
};

/** A file `a.ts` that is about to be edited, and `user.ts`, which sees it. */
export interface Scene extends Omit<Checking, "located"> {
	readonly fake: Fake;
	readonly located: Located;
	/** Another file, as another session asks about it. */
	readonly other: Located;
	/** The baseline of an edit, from `before` to `after` if nothing else is said. */
	announce(from?: string, to?: string): Promise<void>;
	/** The same until the server is asked about the new text, which is then written and checked. */
	edit(): Promise<CheckReport["files"]>;
	/** What the server was told and asked of the files so far: `a.ts = after`, `pull user.ts`. */
	heard(): string[];
	hears(what: string): Promise<unknown>;
}

/** Runs a test with an edit that is announced to a fake server that can be pulled from. */
export function withScene<T>(
	body: (scene: Scene) => Promise<T>,
	on: readonly Rule[] = [],
	config: Partial<ServerConfig> = {},
	watched = false,
): Promise<T> {
	const capabilities = {
		diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false },
		documentSymbolProvider: true,
		textDocumentSync: 1,
	};
	return withFake(
		{ capabilities, on: [{ method: symbols, do: [{ reply: [declaration] }] }, ...on] },
		(fake) =>
			withChecker(
				fake,
				async (checking) => {
					const { checker } = checking;
					const [located, other] = [checking.located("a.ts", before), checking.located("user.ts", user)];
					const context: Checking["context"] = (over) =>
						checking.context({ call: "edit", later: (rest) => void rest.catch(() => {}), ...over });
					const announce = (from = before, to = after) => checker.baseline(located, from, to, context());
					const heard = () => fake.record().flatMap(({ got }) => said(got) ?? []);
					const hears = (what: string) =>
						until(`the server hears: ${what}`, async () =>
							heard().includes(what) ? met(true) : notYet(heard().join(", ")),
						);
					const edit = async () => {
						await announce();
						await hears("pull user.ts");
						fake.write("a.ts", after);
						return (await checker.check(located, "affected", context())).files;
					};
					return body({ ...checking, fake, located, other, context, heard, announce, hears, edit });
				},
				watched,
			),
		{ match: ["ts"], languageId: "typescript", strategy: "pull", pullsUnopened: true, ...config },
	);
}

function said(got: { readonly method?: string; readonly params?: Record<string, unknown> } | undefined) {
	const { uri = "", text } = (got?.params?.textDocument ?? {}) as { uri?: string; text?: string };
	const name = uri.slice(uri.lastIndexOf("/") + 1);
	if (got?.method === pull) return `pull ${name}`;
	const changes = got?.params?.contentChanges as readonly { readonly text: string }[] | undefined;
	const shown = text ?? changes?.[0]?.text;
	if (shown === undefined) return undefined;
	return `${name} = ${shown === before ? "before" : shown === after ? "after" : "something"}`;
}

/** The edit's own error, and that its user has none. */
export function expectFound(files: CheckReport["files"]): void {
	expect(files.map(({ path, diagnostics }) => [path, diagnostics.length, diagnostics[0]?.new])).toEqual([
		["a.ts", 1, true],
		["user.ts", 0, undefined],
	]);
}
