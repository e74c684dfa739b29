import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, renameSync } from "node:fs";
import process from "node:process";
import { expect, test } from "vitest";
import { servers } from "../../server.ts";
import { clientCapabilities } from "../../src/daemon/capabilities.ts";
import { pullDiagnostics } from "../../src/diagnostics/sources/pull.ts";
import { launchCommand } from "../../src/launch/launch-command.ts";
import { LanguageServer } from "../../src/lsp/server.ts";
import { toPath } from "../../src/util/positions.ts";
import { type WatchesOptions, WatchService } from "../../src/watch/watch-service.ts";
import { met, notYet, until } from "../support/until.ts";
import { TYPESCRIPT_PROJECT } from "../support/workspace.ts";
import { type Scratch, withScratch } from "./scratch.ts";

interface Setup {
	readonly scratch: Scratch;
	readonly server: LanguageServer;
	readonly watches: WatchService;
	/** What the server was told of changes, a list of `type path` for each notification. */
	readonly told: string[][];
	/** Who listens to the server, so that a test can speak for it. */
	readonly listeners: ReadonlyMap<string, ((params: unknown) => void)[]>;
	/** The codes that the server gives for a file that is not open, once it has been told of everything. */
	codes(file: string): Promise<string>;
}

/** A real TypeScript 7 on a small project, attached and watched. */
async function withTypescript(
	files: Readonly<Record<string, string>>,
	body: (setup: Setup) => Promise<void>,
	options: WatchesOptions = {},
): Promise<void> {
	await withScratch([], async (scratch) => {
		for (const [file, text] of Object.entries({ ...TYPESCRIPT_PROJECT, ...files })) scratch.write(file, text);
		const config = servers.find(({ id }) => id === "typescript")!;
		const project = { root: scratch.root, workspace: scratch.root, trusted: false };
		const launch = await launchCommand(config, project, process.env);
		const watches = new WatchService(options);
		const events = { stderr: () => {}, log: () => {}, exited: (gone: LanguageServer) => watches.detach(gone) };
		const server = await LanguageServer.start({
			config,
			root: scratch.root,
			launch,
			events,
			capabilities: clientCapabilities,
		});
		const told: string[][] = [];
		const notify = server.notify.bind(server);
		server.notify = (method, params) => {
			if (method === "workspace/didChangeWatchedFiles")
				told.push(
					(params as { changes: { uri: string; type: number }[] }).changes.map(
						({ uri, type }) => `${type} ${toPath(uri)?.slice(scratch.root.length + 1)}`,
					),
				);
			notify(method, params);
		};
		const listeners = new Map<string, ((params: unknown) => void)[]>();
		const on = server.on.bind(server);
		server.on = (method, listener) => {
			listeners.set(method, [...(listeners.get(method) ?? []), listener]);
			return on(method, listener);
		};
		watches.attach(server);
		try {
			await body({
				scratch,
				server,
				watches,
				told,
				listeners,
				async codes(file) {
					await watches.fresh(server);
					const items = await pullDiagnostics(server, scratch.path(file));
					return items.map(({ code }) => code).join(" ");
				},
			});
		} finally {
			await server.stop();
			watches.close();
		}
		expect(watches.status(server)).toEqual({ state: "off", directories: 0 });
	});
}

async function untilReady({ watches, server, codes }: Setup, file: string): Promise<void> {
	await codes(file);
	await until("the watch is ready", () => {
		const { state } = watches.status(server);
		return state === "ready" ? met(undefined) : notYet(state);
	});
}

const importer = 'import { value } from "./dep.ts";\nexport const n: number = value;\n';
const good = "export const value: number = 1;\n";
const bad = 'export const value: string = "";\n';

test("a dependency that changes behind our back is seen by the next pull, a hundred times", async () => {
	await withTypescript({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
		const { scratch, codes } = setup;
		await untilReady(setup, "src/a.ts");
		const steps: [() => void, string][] = [
			[() => scratch.write("src/dep.ts", bad), "2322"],
			[() => scratch.write("src/dep.ts", good), ""],
			[() => renameSync(scratch.path("src/dep.ts"), scratch.path("src/moved.ts")), "2307"],
			[() => renameSync(scratch.path("src/moved.ts"), scratch.path("src/dep.ts")), ""],
			[() => scratch.remove("src/dep.ts"), "2307"],
			[() => scratch.write("src/dep.ts", bad), "2322"],
			[
				() => {
					scratch.write("src/dep.tmp", good);
					renameSync(scratch.path("src/dep.tmp"), scratch.path("src/dep.ts"));
				},
				"",
			],
		];
		for (let i = 0; i < 105; i++) {
			const [change, expected] = steps[i % steps.length]!;
			change();
			expect(await codes("src/a.ts"), `step ${i}`).toBe(expected);
		}
	});
});

test("what changes before the server has registered and the tree is scanned is caught up with", async () => {
	await withTypescript({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
		expect(await setup.codes("src/a.ts")).toBe("");
		setup.scratch.write("src/dep.ts", bad);
		await untilReady(setup, "src/a.ts");
		expect(await setup.codes("src/a.ts")).toBe("2322");
	});
});

test("a server that has registered nothing yet is told of what has changed since its first answer", () =>
	withTypescript(
		{
			"src/a.ts": "export const a: number = 1;\n",
			"src/b.ts": 'import { a } from "./a.ts";\nexport const b: number = a;\n',
		},
		async ({ scratch, server, codes }) => {
			// On a busy machine the second question comes before the registration, which is 100 ms behind the first answer.
			server.registrations.set = () => server.registrations;
			expect(await codes("src/b.ts")).toBe("");
			scratch.write("src/a.ts", 'export const a: string = "";\n');
			expect(await codes("src/b.ts")).toBe("2322");
			scratch.write("src/a.ts", "export const a: number = 22;\n");
			expect(await codes("src/b.ts")).toBe("");
		},
	));

test("a git checkout of 600 files", async () => {
	const many = (text: string) =>
		Object.fromEntries(
			Array.from({ length: 600 }, (_, i) => [`src/d${i % 20}/m${i}.ts`, `${text}\nexport const m = ${i};\n`]),
		);
	await withTypescript({ "src/a.ts": importer, "src/dep.ts": good, ...many("// one") }, async (setup) => {
		const { scratch, codes, told } = setup;
		const git = (...args: string[]) =>
			execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], { cwd: scratch.root, stdio: "pipe" });
		git("init", "-q", "-b", "one");
		git("add", ".");
		git("commit", "-qm", "one");
		git("checkout", "-qb", "two");
		for (const [file, text] of Object.entries(many("// two"))) scratch.write(file, text);
		scratch.write("src/dep.ts", bad);
		git("commit", "-qam", "two");
		await untilReady(setup, "src/a.ts");
		for (const [branch, expected] of [
			["one", ""],
			["two", "2322"],
			["one", ""],
		] as const) {
			told.length = 0;
			git("checkout", "-q", branch);
			expect(await codes("src/a.ts")).toBe(expected);
			const files = new Set(
				told
					.flat()
					// The importer is no part of the checkout; the first scan may still tell of it, being as young as the server.
					.filter((line) => /^[12] src\/(?!a\.ts$)/.test(line))
					.map((line) => line.slice(2)),
			);
			expect(files.size).toBe(601);
		}
	});
});

test("a package that is installed, upgraded and removed", async () => {
	const uses = 'import { value } from "pkg";\nexport const n: number = value;\n';
	await withTypescript({ "src/a.ts": uses, ".gitignore": "node_modules\n" }, async (setup) => {
		const { scratch, codes } = setup;
		const install = (type: string) => {
			scratch.write("staging/package.json", '{ "name": "pkg", "version": "1.0.0", "types": "lib/index.d.ts" }');
			scratch.write("staging/lib/index.d.ts", `export const value: ${type};\n`);
			if (existsSync(scratch.path("node_modules/pkg"))) scratch.remove("node_modules/pkg");
			scratch.write("node_modules/.package-lock.json", "{}");
			renameSync(scratch.path("staging"), scratch.path("node_modules/pkg"));
		};
		await untilReady(setup, "src/a.ts");
		expect(await codes("src/a.ts")).toBe("2307");
		install("number");
		expect(await codes("src/a.ts")).toBe("");
		install("string");
		expect(await codes("src/a.ts")).toBe("2322");
		scratch.remove("node_modules/pkg");
		expect(await codes("src/a.ts")).toBe("2307");
		install("number");
		expect(await codes("src/a.ts")).toBe("");
	});
});

test("a document that the server has open is not told as changed until it is closed", async () => {
	await withTypescript({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
		const { scratch, server, codes, told, watches } = setup;
		await untilReady(setup, "src/a.ts");
		server.documents.set(scratch.path("src/dep.ts"), "typescript", good);
		await watches.fresh(server);
		told.length = 0;
		scratch.write("src/dep.ts", bad);
		await watches.changedSince(scratch.root, 0);
		expect(await codes("src/a.ts")).toBe("");
		expect(told).toEqual([]);
		server.documents.close(scratch.path("src/dep.ts"));
		expect(await codes("src/a.ts")).toBe("2322");
		server.documents.set(scratch.path("src/dep.ts"), "typescript", bad);
		await watches.fresh(server);
		told.length = 0;
		scratch.remove("src/dep.ts");
		await watches.fresh(server);
		expect(told).toEqual([["3 src/dep.ts"]]);
	});
});

test("a server that comes later is told what changed since it started, without a scan", async () => {
	await withTypescript({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
		const { scratch, server, watches } = setup;
		await untilReady(setup, "src/a.ts");
		const { config, root, launch } = server;
		const events = { stderr: () => {}, log: () => {}, exited: (gone: LanguageServer) => watches.detach(gone) };
		const next = await LanguageServer.start({ config, root, launch, events, capabilities: clientCapabilities });
		try {
			const codes = async () => (await pullDiagnostics(next, scratch.path("src/a.ts"))).map(({ code }) => code).join();
			expect(await codes()).toBe("");
			scratch.write("src/dep.ts", bad);
			expect(await setup.codes("src/a.ts")).toBe("2322");
			await until("the next one has registered", () => {
				const methods = [...next.registrations.values()].map(({ method }) => method);
				return methods.includes("workspace/didChangeWatchedFiles") ? met(true) : notYet(methods.join());
			});
			watches.attach(next);
			await watches.fresh(next);
			expect(await codes()).toBe("2322");
		} finally {
			await next.stop();
		}
	});
});

test("without watches the answers stay right, by sweeping", async () => {
	const watcher = () => {
		throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
	};
	await withTypescript(
		{ "src/a.ts": importer, "src/dep.ts": good },
		async ({ scratch, server, codes, watches }) => {
			await codes("src/a.ts");
			await until("the watch is degraded", () => {
				const { state } = watches.status(server);
				return state === "degraded" ? met(undefined) : notYet(state);
			});
			for (let i = 0; i < 20; i++) {
				scratch.write("src/dep.ts", i % 2 ? good : bad);
				expect(await codes("src/a.ts")).toBe(i % 2 ? "" : "2322");
			}
		},
		{ watcher },
	);
});

test("a server that takes its registrations back hears nothing more", async () => {
	await withTypescript({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
		const { scratch, server, watches, told } = setup;
		await untilReady(setup, "src/a.ts");
		expect(watches.status(server).directories).toBe(2);
		const { listeners } = setup;
		server.registrations.clear();
		for (const listener of listeners.get("client/unregisterCapability") ?? []) listener([]);
		told.length = 0;
		scratch.write("src/dep.ts", bad);
		await watches.fresh(server);
		expect(told).toEqual([]);
		expect(watches.status(server)).toEqual({ state: "off", directories: 0 });
	});
});

test("PI_LSP_DISABLE_WATCHERS=1 creates nothing", async () => {
	await withScratch([], async ({ root }) => {
		await withTypescript(
			{ "src/a.ts": importer, "src/dep.ts": good },
			async ({ server, codes, watches, told }) => {
				await codes("src/a.ts");
				await until("the server has registered", () =>
					[...server.registrations.values()].some(({ method }) => method === "workspace/didChangeWatchedFiles")
						? met(undefined)
						: notYet([...server.registrations.keys()].join()),
				);
				await watches.fresh(server);
				expect(watches.status(server)).toEqual({ state: "off", directories: 0 });
				expect(told).toEqual([]);
				expect(readdirSync(root)).toEqual([]);
			},
			{ env: { PI_LSP_DISABLE_WATCHERS: "1" }, directory: root },
		);
	});
});
