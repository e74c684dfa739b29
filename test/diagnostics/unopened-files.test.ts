import { describe, expect, test } from "vitest";
import { UnopenedFiles } from "../../src/diagnostics/known-states.ts";
import type { LanguageServer } from "../../src/lsp/server.ts";
import { isSettled, statOf } from "../../src/util/files.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import { met, notYet, until } from "../support/until.ts";

const pull = "textDocument/diagnostic";
const one = "export const a: number = 1;\n";
const two = "export const a: number = 2;\n";

describe("the kept result of an unopened file", () => {
	test("is not requested again while nothing has changed", () =>
		withProven(async ({ prove, asked }) => {
			await prove(new UnopenedFiles());
			expect(asked()).toBe(1);
		}));

	test("is dropped if a file changes during the check, to a text of the same size", () =>
		withProven(async ({ fake, prove, asked }) => {
			const files = new UnopenedFiles();
			await prove(files);
			fake.write("a.ts", two);
			expect(await prove(files)).toBe(two);
			expect(asked()).toBe(2);
		}));

	test("is dropped once a change of another file is known", () =>
		withProven(async ({ server, path, prove, asked }) => {
			server.snapshot.filesChanged([`${path}.other.ts`]);
			await prove(new UnopenedFiles());
			expect(asked()).toBe(2);
		}));

	test("is dropped if such a change is sent to the server at the beginning of the check", () =>
		withProven(async ({ server, path, prove, asked }) => {
			server.sendChanges = async () => server.snapshot.filesChanged([`${path}.other.ts`]);
			await prove(new UnopenedFiles());
			expect(asked()).toBe(2);
		}));

	test("is requested again by a new check after a configuration was sent", () =>
		withProven(async ({ server, prove, asked }) => {
			server.configure({ strict: true });
			await prove(new UnopenedFiles());
			expect(asked()).toBe(2);
		}));
});

interface Proven {
	readonly fake: Fake;
	readonly server: LanguageServer;
	readonly path: string;
	/** The text that was proven; empty for one that was kept without errors. */
	prove(files: UnopenedFiles): Promise<string>;
	/** The number of requests to the server. */
	asked(): number;
}

/** Runs `body` when one file has been proven that was old enough for its stats to be kept. */
function withProven(body: (on: Proven) => Promise<void>): Promise<void> {
	const script = {
		capabilities: { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false } },
		on: [{ method: pull, do: [{ reply: { kind: "full", items: [] } }] }],
	};
	return withFake(
		script,
		async (fake) => {
			const server = await fake.start();
			const path = fake.write("a.ts", one);
			await until("the file is settled", async () => {
				const info = await statOf(path);
				return info && isSettled(info) ? met(true) : notYet("it is young");
			});
			const prove = async (files: UnopenedFiles) =>
				(await files.prove(server, { path, languageId: "typescript" }, {})).text;
			const asked = () => fake.received(pull).length;
			await prove(new UnopenedFiles());
			expect(asked()).toBe(1);
			await body({ fake, server, path, prove, asked });
		},
		{ match: ["ts"], languageId: "typescript", strategy: "pull", pullsUnopened: true },
	);
}
