import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { knownBaseline } from "../../src/diagnostics/baseline.ts";
import { ImportGraph } from "../../src/diagnostics/import-graph.ts";
import { rememberState, toldNow } from "../../src/diagnostics/last-states.ts";
import { symbolKinds } from "../../src/diagnostics/shape.ts";
import type { LanguageServer } from "../../src/lsp/server.ts";
import type { Located } from "../../src/workspace/locate.ts";
import { met, notYet, until } from "../support/until.ts";
import { after, type Scene, withScene } from "./announced.ts";

const third = "export interface A {\n\tx: string;\n}\n";

/** Makes an edit, of which all is known afterwards, and announces the next while the look at the disk goes on. */
async function announcedAgain(
	scene: Scene,
	body: (now: { readonly server: LanguageServer; readonly told: string[]; looked(): Promise<void> }) => Promise<void>,
) {
	const { fake, located, checker, context, announce, edit, heard, pool } = scene;
	await edit();
	// The second look reads what others see of the file.
	let rest: Promise<unknown> | undefined;
	const later = (looked: Promise<unknown>) => {
		rest = looked;
	};
	await checker.check(located, "affected", context({ later }));
	await rest;
	const [server] = pool.servers();
	if (!server) throw new Error("no server");
	const told = heard();
	let end = () => {};
	const looking = new Promise<void>((resolve) => {
		end = resolve;
	});
	server.fresh = () => looking;
	const proven = announce(after, third);
	await body({
		server,
		get told() {
			return heard().slice(told.length);
		},
		async looked() {
			end();
			await proven;
		},
	});
	fake.write("a.ts", third);
}

test("where the state before is known, the new text is shown while the disk is still looked at", () =>
	withScene(async (scene) => {
		await announcedAgain(scene, async ({ looked }) => {
			await scene.hears("a.ts = something");
			await looked();
		});
		const { files } = await scene.checker.check(scene.located, "affected", scene.context());
		expect(files).toMatchObject([{ path: "a.ts", state: "fresh", fixed: 1, diagnostics: [] }, { path: "user.ts" }]);
	}));

test("nothing is asked about the state before then", () =>
	withScene(async (scene) => {
		await announcedAgain(scene, async (now) => {
			await scene.hears("a.ts = something");
			await now.looked();
			expect(now.told.filter((what) => what.includes("="))).toEqual(["a.ts = something"]);
		});
	}));

test("unless the disk has news: what was known may be wrong, and is proven", () =>
	withScene(async (scene) => {
		await announcedAgain(scene, async (now) => {
			await scene.hears("a.ts = something");
			now.server.notify("workspace/didChangeWatchedFiles", { changes: [] });
			await now.looked();
			const again = now.told.indexOf("a.ts = after");
			expect(now.told.slice(again, again + 2)).toEqual(["a.ts = after", "pull a.ts"]);
			await until("the new text is shown again", async () =>
				now.told.lastIndexOf("a.ts = something") > again ? met(true) : notYet(now.told.join(", ")),
			);
		});
		const { files } = await scene.checker.check(scene.located, "affected", scene.context());
		expect(files).toMatchObject([{ path: "a.ts", state: "fresh", fixed: 1, diagnostics: [] }, { path: "user.ts" }]);
	}));

test("what was proven because of another edit, in the answer or behind it, is known to the next one", async () => {
	for (const behind of [false, true])
		await withScene(async ({ fake, checker, context, announce, hears, heard, located, other }) => {
			const looked = async (file: Located, text: string) => {
				let rest: Promise<unknown> | undefined;
				fake.write(file.display, text);
				const later = (looking: Promise<unknown>) => {
					rest = looking;
				};
				await checker.check(file, "affected", context({ later }));
				await rest;
			};
			// It sees the interface in the answer, and without its name only behind it.
			const user = behind ? 'import "./a.ts";\nexport const a = 1;\n' : readFileSync(other.path, "utf8");
			await looked(other, user);
			await announce();
			await hears("a.ts = after");
			await looked(located, after);
			expect(heard()).toContain("pull user.ts");
			const told = heard().length;
			await checker.baseline(other, user, undefined, context());
			expect(heard().slice(told)).toEqual([]);
		});
});

test("a state is known as long as nothing was told to the server, with the signatures that the edit touches", () =>
	withScene(async ({ fake, located: { path } }) => {
		const server = await fake.start();
		const document = server.documents.set(path, "typescript", "f\ng\n");
		const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
		const f = { path: "f", kind: symbolKinds.function, range, selection: range, text: "f", lead: "" };
		const symbols = new Map([["f", { ...f, signed: true, members: false }]]);
		const shape = { document, symbols, rest: "g", signatures: new Map<string, string>() };
		const { text, hash } = document;
		rememberState(server, toldNow(server), { proof: { path, text, hash, diagnostics: [] }, shape });
		const alone = { graph: new ImportGraph(fake.root), watched: false };
		const known = async (from: string, to: string) =>
			(await knownBaseline(server, { path, text: from, next: to }, alone))?.shape === shape;
		expect(await known("f\ng\n", "f\nh\n")).toBe(true);
		expect(await known("\ufefff\ng\n", "f\nh\n")).toBe(true);
		expect(await known("f\n", "f\nh\n")).toBe(false);
		expect(await known("f\ng\n", "e\ng\n")).toBe(false);
		shape.signatures.set("f", "f(): void");
		expect(await known("f\ng\n", "e\ng\n")).toBe(true);
		server.notify("workspace/didChangeConfiguration", { settings: {} });
		expect(await known("f\ng\n", "f\nh\n")).toBe(false);
	}));
