import { rmSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { askAtOnce, toldMeanwhile } from "../../src/daemon/ask-at-once.ts";
import type { LanguageServer } from "../../src/lsp/server.ts";
import { deadline } from "../../src/util/abort.ts";
import { withProject } from "../diagnostics/project.ts";
import { met, notYet, until } from "../support/until.ts";

/** A server that has a document in step, and what happens to it while it is asked. */
function asked({ inStep = true, behind = false, holds = true, meanwhile = () => {} }: Circumstances) {
	const log: string[] = [];
	const document = { path: "/a.ts" };
	const server = {
		told: 0,
		documents: { inStep: () => (inStep ? document : undefined) },
		hasNews: () => behind,
		async catchUp() {
			log.push("looks");
			await new Promise((resolve) => setImmediate(resolve));
			meanwhile(server);
			log.push("has looked");
		},
	};
	const limit = deadline(60_000, () => new Error("it took a minute"));
	const ask = async (_: unknown, asking: { readonly current: Promise<void>; readonly signal: AbortSignal }) => {
		log.push("asks");
		asking.signal.addEventListener("abort", () => log.push("cancels"));
		await asking.current;
		log.push("may tell");
		return "answer";
	};
	const told = server as unknown as LanguageServer;
	const answer = askAtOnce(told, "/a.ts", limit, ask, async () => holds).finally(() => limit.end());
	return { answer, log };
}

interface Circumstances {
	readonly inStep?: boolean;
	readonly behind?: boolean;
	readonly holds?: boolean;
	meanwhile?(server: { told: number; documents: { inStep(): object | undefined } }): void;
}

describe("a question that does not wait for the look at the disk", () => {
	test("is asked beside it, and answered once there was nothing to tell", async () => {
		const { answer, log } = asked({});
		expect(await answer).toEqual({ answer: "answer" });
		expect(log).toEqual(["asks", "looks", "has looked", "may tell"]);
	});

	test("is cancelled, to be asked again, when the server was told something", async () => {
		const { answer, log } = asked({ meanwhile: (server) => server.told++ });
		await expect(answer).rejects.toBe(toldMeanwhile);
		expect(log).toEqual(["asks", "looks", "has looked", "cancels"]);
	});

	test("is cancelled when the document itself is no longer what was asked about", async () => {
		const { answer, log } = asked({
			meanwhile: ({ documents }) => {
				documents.inStep = () => undefined;
			},
		});
		await expect(answer).rejects.toBe(toldMeanwhile);
		expect(log.at(-1)).toBe("cancels");
	});

	test("is cancelled when what was known of the file is no longer so", async () => {
		const { answer, log } = asked({ holds: false });
		await expect(answer).rejects.toBe(toldMeanwhile);
		expect(log.at(-1)).toBe("cancels");
	});

	test.each([{ inStep: false }, { behind: true }])(
		"is not asked where it is known to be too early: %j",
		async (how) => {
			const { answer, log } = asked(how);
			expect(await answer).toBeUndefined();
			expect(log).toEqual([]);
		},
	);

	test("fails with what the look fails with", async () => {
		const failure = new Error("no more time");
		const { answer } = asked({
			meanwhile: () => {
				throw failure;
			},
		});
		await expect(answer).rejects.toBe(failure);
	});
});

test("what was written a moment before a question is in its answer, in the file itself and in what it imports", () =>
	withProject(
		{
			"src/a.ts": "export const a: number = 1;\n",
			"src/b.ts": 'import { a } from "./a.ts";\nexport const wrapped = [a, 1000];\n',
		},
		async ({ ws, call }) => {
			const typeOf = async () => {
				const { text } = await call<{ text: string }>("hover", { file: "src/b.ts", symbol: "wrapped" });
				return /wrapped: ([^\n`]*)/.exec(text)?.[1];
			};
			expect(await typeOf()).toBe("number[]");
			const stale: string[] = [];
			for (let round = 0; round < 300; round++) {
				// All of the same size: nothing but the content tells them apart.
				const type = ["number", "string", "symbol"][round % 3] ?? "";
				const items = ["1000", "'ab'"][Math.floor(round / 3) % 2] ?? "";
				if (round % 2 === 0) ws.write("src/a.ts", `export declare const a: ${type};\n`);
				else ws.write("src/b.ts", `import { a } from "./a.ts";\nexport const wrapped = [a, ${items}];\n`);
				const declared = /a: (\w+)/.exec(ws.read("src/a.ts"))?.[1] ?? "";
				const other = ws.read("src/b.ts").includes("1000") ? "number" : "string";
				const members = [...new Set([declared, other])];
				const expected = members.length === 1 ? [`${declared}[]`] : permuted(members).map((types) => `(${types})[]`);
				for (let again = 0; again < 2; again++) {
					const type = (await typeOf()) ?? "";
					if (!expected.includes(type)) stale.push(`${round}: ${type}, not ${expected[0]}`);
				}
			}
			expect(stale).toEqual([]);
		},
	));

test("what is heard of only while the server is asked is in the answer as well", () =>
	withProject(
		{ "src/a.ts": "export const a: number = 1;\n", "src/b.ts": 'import { a } from "./a.ts";\nexport const b = a;\n' },
		async ({ ws, hub, call }) => {
			const typeOf = async () => {
				const { text } = await call<{ text: string }>("hover", { file: "src/b.ts", symbol: "b" });
				return /b: ([^\n`]*)/.exec(text)?.[1];
			};
			await until("the project is watched, and what is known of it is kept", async () => {
				await typeOf();
				const [server] = hub.pool.servers();
				return server && hub.watches.status(server).state === "ready" ? met(true) : notYet("it is not watched");
			});
			const [server] = hub.pool.servers();
			if (!server) throw new Error("no server runs");
			// As if the kernel had told nothing yet when the question came.
			server.hasNews = () => false;
			for (const type of ["string", "boolean", "symbol"]) {
				ws.write("src/a.ts", `export declare const a: ${type};\n`);
				expect(await typeOf()).toBe(type);
			}
		},
	));

test("another configuration counts for the next question, and so does its end", () =>
	withProject({ "src/a.ts": "export const a: number = 1;\n" }, async ({ ws, call }) => {
		const ask = () =>
			call<{ text: string }>("hover", { file: "src/a.ts", symbol: "a" }).then(
				({ text }) => text,
				({ message }: Error) => message,
			);
		for (let round = 0; round < 5; round++) {
			expect(await ask()).toContain("a: number");
			// What has just changed is not kept: from here on it is.
			await until("the project's directory has not changed for a while", () =>
				Date.now() - statSync(ws.root).ctimeMs > 60 ? met(true) : notYet("it has"),
			);
			for (let again = 0; again < 2; again++) expect(await ask()).toContain("a: number");
			ws.write(".pi-lsp.json", `{ "disable": ["typescript", "typescript-language-server"] }`);
			expect(await ask()).toContain("no server for the newest one");
			rmSync(ws.path(".pi-lsp.json"));
		}
	}));

/** A compiler puts the members of a union in an order of its own. */
function permuted([first, second]: readonly string[]): string[] {
	return [`${first} | ${second}`, `${second} | ${first}`];
}
