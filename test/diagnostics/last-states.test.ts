import { expect, test } from "vitest";
import type { ServerConfig } from "../../server.ts";
import { ImportGraph } from "../../src/diagnostics/import-graph.ts";
import {
	lastState,
	noteEdit,
	recallState,
	rememberState,
	renewState,
	toldNow,
} from "../../src/diagnostics/last-states.ts";
import type { Proof } from "../../src/diagnostics/prove.ts";
import type { LanguageServer } from "../../src/lsp/server.ts";
import { withFake } from "../servers/fake.ts";
import { shape } from "./shapes.ts";

const texts = {
	"a.ts": 'import { b } from "./b.ts";\nexport const a = b;\n',
	"b.ts": 'import { c } from "./c.ts";\nexport const b = c;\n',
	"c.ts": "export const c = 1;\n",
	"apart.ts": "export const apart = 1;\n",
};
type Name = keyof typeof texts;

interface Scene {
	readonly server: LanguageServer;
	path(name: Name): string;
	/** Gives the server another text of a file, as an edit does; returns how to take it back. */
	change(name: Name, text?: string): () => void;
	/** What was proven of `a.ts` at the beginning, if that is what the server would say now. */
	recalled(watched?: boolean): Promise<Proof | undefined>;
}

/** All files are open, and `a.ts` has been proven. */
function withScene(body: (scene: Scene) => Promise<void>, config: Partial<ServerConfig> = {}): Promise<void> {
	return withFake(
		{},
		async (fake) => {
			const names = Object.keys(texts) as Name[];
			const paths = new Map(names.map((name) => [name, fake.write(name, texts[name])]));
			const path = (name: Name) => paths.get(name) ?? "";
			const server = await fake.start();
			const set = (name: Name, text: string) => server.documents.set(path(name), "typescript", text);
			for (const name of names) set(name, texts[name]);
			rememberState(server, toldNow(server), stateOf(server, path("a.ts")));
			const graph = new ImportGraph(fake.root);
			await graph.dependents(path("c.ts"));
			await body({
				server,
				path,
				change(name, text = `${texts[name]}// edited\n`) {
					set(name, text);
					noteEdit(server, path(name), [texts[name], text]);
					return () => void set(name, texts[name]);
				},
				async recalled(watched = true) {
					const document = server.documents.get(path("a.ts"));
					return document && (await recallState(server, document, { graph, watched }))?.proof;
				},
			});
		},
		config,
	);
}

function stateOf(server: LanguageServer, path: string) {
	const { text = "", hash = "" } = server.documents.get(path) ?? {};
	const own = shape(path, text, [["a", "constant", 1, 1]]);
	return { proof: { path, text, hash, diagnostics: [] }, shape: own };
}

test("a state holds while the server is told of modules that the file does not depend on", () =>
	withScene(async ({ change, recalled }) => {
		expect(await recalled()).toBeDefined();
		change("apart.ts");
		expect(await recalled()).toBeDefined();
	}));

test("not of those that it depends on, over any number of imports, unless they are what they were", () =>
	withScene(async ({ server, path, change, recalled }) => {
		const back = change("c.ts");
		expect(await recalled()).toBeUndefined();
		back();
		expect(await recalled()).toBeDefined();
		change("b.ts")();
		expect(await recalled()).toBeDefined();
		server.documents.close(path("b.ts"));
		expect(await recalled()).toBeUndefined();
	}));

test("not where its own text is another one, nor after news of the disk", () =>
	withScene(async ({ server, change, recalled }) => {
		const back = change("a.ts");
		expect(await recalled()).toBeUndefined();
		back();
		expect(await recalled()).toBeDefined();
		server.notify("workspace/didChangeWatchedFiles", { changes: [] });
		expect(await recalled()).toBeUndefined();
	}));

test("not where nobody tells of every change on disk, unless nothing was told to the server either", () =>
	withScene(async ({ change, recalled }) => {
		expect(await recalled(false)).toBeDefined();
		change("apart.ts");
		expect(await recalled(false)).toBeUndefined();
	}));

test("not where a file was changed that others see without an import, or was one before", async () => {
	const globals = ["const everywhere = 1;\n", "declare global {\n\tconst x: 1;\n}\nexport {};\n"];
	for (const text of [...globals, "export as namespace Apart;\nexport {};\n"])
		await withScene(async ({ change, recalled }) => {
			change("apart.ts", text)();
			expect(await recalled()).toBeUndefined();
		});
	// By somebody whom no edit told of: a formatter, git.
	await withScene(async ({ server, path, recalled }) => {
		server.documents.set(path("apart.ts"), "typescript", "const everywhere = 1;\n");
		expect(await recalled()).toBeUndefined();
	});
});

test("not where so many files were changed that to look for all that depend on them takes long", () =>
	withScene(async ({ server, path, change, recalled }) => {
		change("apart.ts");
		for (let index = 0; index < 7; index++)
			server.documents.set(path("apart.ts").replace("apart", `new${index}`), "typescript", "export {};\n");
		expect(await recalled()).toBeDefined();
		server.documents.set(path("apart.ts").replace("apart", "more"), "typescript", "export {};\n");
		expect(await recalled()).toBeUndefined();
	}));

test("not where the server was told of another text while it worked out its answer", () =>
	withScene(async ({ server, path, change, recalled }) => {
		const told = toldNow(server);
		const back = change("apart.ts");
		rememberState(server, told, stateOf(server, path("a.ts")));
		back();
		expect(await recalled()).toBeUndefined();
	}));

test("a server whose answers are doubtful is asked again when it was told anything", () =>
	withScene(
		async ({ change, recalled }) => {
			expect(await recalled()).toBeDefined();
			change("apart.ts")();
			expect(await recalled()).toBeUndefined();
		},
		{ doubtfulUnchanged: true },
	));

test("a file that is proven because another was edited is known again, without the signatures that may have changed", () =>
	withScene(async ({ server, path, change, recalled }) => {
		lastState(server, path("a.ts"))?.shape?.signatures.set("a", "const a: number");
		change("b.ts");
		const { proof } = stateOf(server, path("a.ts"));
		renewState(server, toldNow(server), proof);
		expect(await recalled()).toBe(proof);
		expect(lastState(server, path("a.ts"))?.shape?.signatures.size).toBe(0);
	}));

test("it is not if that was another text of it, or if the server was told of something meanwhile", () =>
	withScene(async ({ server, path, change, recalled }) => {
		change("b.ts");
		const { proof } = stateOf(server, path("a.ts"));
		renewState(server, toldNow(server), { ...proof, hash: "another" });
		expect(lastState(server, path("a.ts"))?.proof.hash).toBe(proof.hash);
		const told = toldNow(server);
		change("c.ts");
		renewState(server, told, proof);
		expect(await recalled()).toBeUndefined();
	}));
