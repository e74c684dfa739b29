import { expect, test } from "vitest";
import type { Proof } from "../../../src/diagnostics/sources/prove.ts";
import { pullWorkspace } from "../../../src/diagnostics/sources/workspace-pull.ts";
import type { LanguageServer } from "../../../src/lsp/server.ts";
import { toUri } from "../../../src/util/positions.ts";
import { type Fake, withFake } from "../../fakes/fake.ts";
import type { Step } from "../../fakes/script.ts";

const question = "workspace/diagnostic";
const names = Array.from({ length: 25 }, (_, index) => `${index}.fake`);
const position = { line: 0, character: 0 };
const wrong = { range: { start: position, end: position }, severity: 1, message: "wrong" };
const offered = { interFileDependencies: true, workspaceDiagnostics: true };

interface Setting {
	readonly steps?: readonly Step[];
	/** An answer; the URI of a file is made of its name. */
	readonly items?: readonly { readonly name: string; readonly version?: number | null; readonly kind?: string }[];
	readonly provider?: object;
	readonly pullsWorkspace?: boolean;
	readonly count?: number;
	readonly before?: (server: LanguageServer, fake: Fake) => void;
}

/** Proves files that have existed for a while by one request. */
function proven(setting: Setting, look: (proofs: Proof[], fake: Fake) => void): Promise<void> {
	const { items = [], provider = offered, pullsWorkspace = true, count = names.length, before } = setting;
	return withFake(
		{},
		async (fake) => {
			for (const name of names) fake.write(name, "x\n");
			const reply = {
				items: items.map(({ name, version = null, kind = "full" }) => ({
					uri: toUri(`${fake.root}/${name}`),
					version,
					kind,
					...(kind === "full" ? { items: [wrong] } : { resultId: "1" }),
				})),
			};
			const on = [{ method: question, do: setting.steps ?? [{ reply }] }];
			fake.script({ capabilities: { diagnosticProvider: provider }, on });
			const server = await fake.start();
			await new Promise((resolve) => setTimeout(resolve, 60));
			before?.(server, fake);
			const paths = names.slice(0, count).map((name) => `${fake.root}/${name}`);
			look(await pullWorkspace(server, paths, AbortSignal.timeout(1500)), fake);
		},
		{ pullsWorkspace },
	);
}

const failing = (proofs: readonly Proof[]) =>
	proofs.filter(({ diagnostics }) => diagnostics.length).map(({ path }) => path.split("/").at(-1));

test("one request proves many files; those that the report leaves out are clean", () =>
	proven({ items: [{ name: "3.fake" }, { name: "other.fake" }] }, (proofs, fake) => {
		expect(failing(proofs)).toEqual(["3.fake"]);
		expect(proofs).toHaveLength(names.length);
		expect(proofs[0]).toMatchObject({ text: "x\n" });
		expect(fake.received(question).map(({ params }) => params)).toEqual([{ previousResultIds: [] }]);
		expect(fake.received("textDocument/diagnostic")).toEqual([]);
	}));

test("a request carries the id of its provider", () =>
	proven({ provider: { ...offered, identifier: "me" } }, (_, fake) => {
		expect(fake.received(question)[0]?.params).toMatchObject({ identifier: "me" });
	}));

test("a report for another version, or an unchanged one, is left over", () =>
	proven(
		{
			items: [
				{ name: "0.fake", version: 99 },
				{ name: "1.fake", version: 1 },
				{ name: "2.fake", kind: "unchanged" },
				{ name: "3.fake", version: 7 },
			],
			before: (server, fake) => {
				for (const name of ["1.fake", "0.fake"]) server.documents.set(`${fake.root}/${name}`, "fake", "x\n");
			},
		},
		(proofs) => {
			expect(failing(proofs)).toEqual(["1.fake"]);
			expect(proofs).toHaveLength(names.length - 3);
		},
	));

test("a file that changed just before the request is left over, since the server may have the earlier text", () =>
	proven({ before: (_, fake) => fake.write("0.fake", "y\n") }, (proofs) => {
		expect(proofs.map(({ path }) => path.split("/").at(-1))).not.toContain("0.fake");
		expect(proofs).toHaveLength(names.length - 1);
	}));

test.each<readonly [string, Setting]>([
	["offers it and is not known to be exact", { pullsWorkspace: false }],
	["does not offer it", { provider: { ...offered, workspaceDiagnostics: false } }],
	["would be asked about few files", { count: 5 }],
	[
		"has a second provider",
		{
			before: (server) =>
				server.registrations.set("2", {
					id: "2",
					method: "textDocument/diagnostic",
					registerOptions: { identifier: "2" },
				}),
		},
	],
])("a server that %s gets no request", (_, setting) =>
	proven(setting, (proofs, fake) => {
		expect(proofs).toEqual([]);
		expect(fake.received(question)).toEqual([]);
	}),
);

test.each<readonly [string, readonly Step[]]>([
	["fails", [{ error: { code: -32603, message: "no" } }]],
	["sends an empty answer", [{ reply: null }]],
	["does not answer in time", [{ never: true }]],
	["ends", [{ crash: 1 }]],
])("a server that %s leaves all files over", (_, steps) => proven({ steps }, (proofs) => expect(proofs).toEqual([])));
