import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Checker } from "../../src/diagnostics/check.ts";
import type { CheckReport } from "../../src/findings.ts";
import type { Located } from "../../src/workspace/locate.ts";
import type { Caller } from "../../src/workspace/lookups.ts";
import { met, notYet, until } from "../support/until.ts";
import { after, before, pull, type Scene, withScene } from "./announced.ts";
import { errorsOf, type Project, withProject } from "./project.ts";

/** A file that was checked once, and then edited by somebody who told nobody. */
async function edited({ fake, checker, located, context }: Scene): Promise<void> {
	await checker.check(located, "file", context());
	fake.write("a.ts", after);
}

/** What a check that is begun early finds. The file has another text by then if one is given. */
async function checked({ fake, checker, located, context }: Scene, text = after): Promise<CheckReport["files"]> {
	await begun(checker, located, context().signal);
	fake.write("a.ts", text);
	return (await checker.check(located, "file", context())).files;
}

async function begun(checker: Checker, located: Located, signal: AbortSignal): Promise<void> {
	checker.hurry(located, signal);
	await new Promise(setImmediate);
}

const wrong = [{ path: "a.ts", state: "fresh", diagnostics: [{ severity: "error" }] }];
const rest = `${before}// and that is all\n`;

test("the question of a check is on its way before the look at what else has changed, and asked once", () =>
	withScene(
		async (scene) => {
			await edited(scene);
			expect(await checked(scene)).toMatchObject(wrong);
			expect(scene.heard()).toEqual(["a.ts = before", "pull a.ts", "a.ts = after", "pull a.ts"]);
		},
		[],
		{},
		true,
	));

test("it is asked again where the server was told something meanwhile", () =>
	withScene(
		async (scene) => {
			await edited(scene);
			await begun(scene.checker, scene.located, scene.context().signal);
			scene.pool.servers()[0]?.notify("workspace/didChangeWatchedFiles", { changes: [] });
			expect((await scene.checker.check(scene.located, "file", scene.context())).files).toMatchObject(wrong);
			expect(scene.heard().slice(2)).toEqual(["a.ts = after", "pull a.ts", "pull a.ts"]);
		},
		[],
		{},
		true,
	));

test("and where the file has another text by then", () =>
	withScene(
		async (scene) => {
			await edited(scene);
			expect(await checked(scene, rest)).toMatchObject([{ path: "a.ts", state: "fresh", diagnostics: [] }]);
			expect(scene.heard().slice(2)).toEqual(["a.ts = after", "pull a.ts", "a.ts = something", "pull a.ts"]);
		},
		[],
		{},
		true,
	));

test("nothing is asked early of a file that is not open", () =>
	withScene(
		async (scene) => {
			await edited(scene);
			scene.pool.servers()[0]?.documents.close(scene.located.path);
			await checked(scene, rest);
			expect(scene.heard()).not.toContain("a.ts = after");
		},
		[],
		{},
		true,
	));

test("nor where nobody tells what changes on disk", () =>
	withScene(async (scene) => {
		await edited(scene);
		await checked(scene, rest);
		expect(scene.heard()).not.toContain("a.ts = after");
	}));

test("nor where it is known that the server has to be told something", () =>
	withScene(
		async (scene) => {
			// Nobody hears of what happens to its file: as long as it is open, it has to be looked at first.
			await scene.checker.check(scene.other, "file", scene.context());
			await edited(scene);
			await checked(scene, rest);
			expect(scene.heard()).not.toContain("a.ts = after");
		},
		[],
		{},
		true,
	));

test("nor of a file that a server has crashed on", () =>
	withScene(
		async (scene) => {
			await edited(scene);
			const [crashing] = scene.pool.servers();
			await begun(scene.checker, scene.located, scene.context().signal);
			await crashing?.exited;
			// The next one is asked by the check alone, and answers.
			expect(await checked(scene)).toMatchObject(wrong);
			scene.fake.write("a.ts", `${after}// again\n`);
			await checked(scene, before);
			expect(scene.heard()).not.toContain("a.ts = something");
		},
		[{ method: pull, nth: 2, generation: 1, do: [{ crash: 1 }] }],
		{},
		true,
	));

test("nor of a server whose answers are doubtful", () =>
	withScene(
		async (scene) => {
			await edited(scene);
			await checked(scene, rest);
			expect(scene.heard()).not.toContain("a.ts = after");
		},
		[],
		{ doubtfulUnchanged: true },
		true,
	));

interface Known extends Project {
	readonly caller: Caller;
	readonly path: string;
}

/** A real project whose file was checked, and is known well enough to be found again without a look. */
function withKnown(body: (project: Known, textNow: () => string | undefined) => Promise<void>): Promise<void> {
	const files = { "src/a.ts": "export const a: number = 1;\n", "src/b.ts": "export const b = 1;\n" };
	return withProject(files, async (project) => {
		const { hub, ws, check } = project;
		const caller = { cwd: ws.root, trust: false };
		await until("the file is known, and watched", async () => {
			await check(["src/a.ts"]);
			const states = hub.servers().map(({ watch }) => watch?.state);
			const known = hub.recall("src/a.ts", caller) !== undefined;
			return known && states.join() === "ready" ? met(true) : notYet(`${known} ${states}`);
		});
		const path = ws.path("src/a.ts");
		await body({ ...project, caller, path }, () => hub.pool.servers()[0]?.documents.get(path)?.text);
	});
}

test("a real server is shown an edit by the beginning of its check", () =>
	withKnown(async ({ hub, caller, ws, check }, textNow) => {
		const text = 'export const a: number = "x";\n';
		ws.write("src/a.ts", text);
		await hub.hurry("src/a.ts", caller, new AbortController().signal);
		expect(textNow()).toBe(text);
		expect(errorsOf(await check(["src/a.ts"]))).toEqual(["src/a.ts 1:14 2322"]);
	}));

test("nobody waits for whoever has the document", () =>
	withKnown(async ({ hub, caller, path, ws }, textNow) => {
		const { documents } = hub.pool.servers()[0]!;
		let end = () => {};
		const held = new Promise<void>((resolve) => {
			end = resolve;
		});
		const had = documents.exclusively(path, () => held);
		ws.write("src/a.ts", "");
		await hub.hurry("src/a.ts", caller, new AbortController().signal);
		expect(textNow()).not.toBe("");
		end();
		await had;
		await until("it is shown then", async () => (textNow() === "" ? met(true) : notYet(String(textNow()))));
	}));

test.each([
	["is no text", (path: string) => writeFileSync(path, "\0"), "is not a text file"],
	["is too large", (path: string) => writeFileSync(path, "// \n".repeat(3_000_000)), "more than"],
	["would never end", (path: string) => replaceByPipe(path), "is not a regular file"],
	["is gone", (path: string) => rmSync(path), "does not exist"],
])("what %s is shown to nobody", (_, become, why) =>
	withKnown(async ({ hub, caller, path, check }, textNow) => {
		const known = textNow();
		become(path);
		await hub.hurry("src/a.ts", caller, new AbortController().signal);
		expect(textNow()).toBe(known);
		const told = check(["src/a.ts"]).then(
			({ files: [file] }) => file?.reason,
			(error: Error) => error.message,
		);
		expect(await told).toContain(why);
	}),
);

test("nothing is begun early for several files, nor for a comparison with a revision", () =>
	withKnown(async ({ hub, check, call }) => {
		const begun: string[] = [];
		hub.hurry = async (file) => void begun.push(file);
		await check(["src/a.ts", "src/b.ts"]);
		// There is no such revision, and that is told.
		await call("check", { files: ["src/a.ts"], base: "HEAD" }).catch(() => {});
		expect(begun).toEqual([]);
		await check(["src/a.ts"]);
		expect(begun).toEqual(["src/a.ts"]);
	}));

function replaceByPipe(path: string): void {
	rmSync(path);
	execFileSync("mkfifo", [path]);
}
