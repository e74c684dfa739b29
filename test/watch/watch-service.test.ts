import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, renameSync } from "node:fs";
import process from "node:process";
import { describe, expect, test, vi } from "vitest";
import { servers } from "../../server.ts";
import { clientCapabilities } from "../../src/daemon/capabilities.ts";
import { pullDiagnostics } from "../../src/diagnostics/sources/pull.ts";
import { launchCommand } from "../../src/launch/launch-command.ts";
import { LanguageServer } from "../../src/lsp/server.ts";
import { toPath } from "../../src/util/positions.ts";
import { type SourceName, sources } from "../../src/watch/source.ts";
import { WatchService, type WatchServiceOptions } from "../../src/watch/watch-service.ts";
import { met, notYet, until } from "../support/until.ts";
import { TYPESCRIPT_PROJECT } from "../support/workspace.ts";
import { type Scratch, withScratch } from "./scratch.ts";

interface Setup {
	readonly scratch: Scratch;
	readonly server: LanguageServer;
	readonly watches: WatchService;
	/** The changes that the server was notified of, a list of `type path` for each notification. */
	readonly sent: string[][];
	/** The handler of the server's notifications, so that a test can send them itself. */
	readonly listeners: ReadonlyMap<string, ((params: unknown) => void)[]>;
	/** The codes that the server gives for a file that is not open, after all notifications. */
	codes(file: string): Promise<string>;
}

interface SetupOptions extends WatchServiceOptions {
	readonly source?: SourceName | undefined;
}

/** A real TypeScript 7 on a small project, attached and watched. */
async function withTypescript(
	files: Readonly<Record<string, string>>,
	body: (setup: Setup) => Promise<void>,
	{ source, ...options }: SetupOptions = {},
): Promise<void> {
	await withScratch([], async (scratch) => {
		for (const [file, text] of Object.entries({ ...TYPESCRIPT_PROJECT, ...files })) scratch.write(file, text);
		const config = servers.find(({ id }) => id === "typescript")!;
		const project = { root: scratch.root, workspace: scratch.root, trusted: false };
		const launch = await launchCommand(config, project, process.env);
		const env = source === "off" ? { PI_LSP_DISABLE_WATCHERS: "1" } : {};
		const watches = new WatchService({ env, ...options });
		if (source && source !== "off") watches.setting = source;
		const events = { stderr: () => {}, log: () => {}, exited: (gone: LanguageServer) => watches.detach(gone) };
		const server = await LanguageServer.start({
			config,
			root: scratch.root,
			launch,
			events,
			capabilities: clientCapabilities,
		});
		const sent: string[][] = [];
		const notify = server.notify.bind(server);
		server.notify = (method, params) => {
			if (method === "workspace/didChangeWatchedFiles")
				sent.push(
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
				sent,
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

function untilRegistered({ registrations }: LanguageServer): Promise<void> {
	return until("the server has registered", () => {
		const methods = [...registrations.values()].map(({ method }) => method);
		return methods.includes("workspace/didChangeWatchedFiles") ? met(undefined) : notYet(methods.join());
	});
}

async function untilReady({ watches, server, codes }: Setup, file: string): Promise<void> {
	await codes(file);
	await untilRegistered(server);
	await watches.fresh(server);
	await until("the tree is read", () => {
		const { state } = watches.status(server);
		return state !== "starting" ? met(undefined) : notYet(state);
	});
}

const importer = 'import { value } from "./dep.ts";\nexport const n: number = value;\n';
const good = "export const value: number = 1;\n";
const bad = 'export const value: string = "";\n';

describe.each(["native", "portable", "poll", "off"] as const)("servers watched by the source %s", (source) => {
	const watched = (files: Readonly<Record<string, string>>, body: (setup: Setup) => Promise<void>) =>
		withTypescript(files, body, { source });

	test("get a dependency that changed on disk before the next pull, a hundred times", async () => {
		await watched({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
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

	test("catch up with changes from before the registration and the scan", async () => {
		await watched({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
			expect(await setup.codes("src/a.ts")).toBe("");
			setup.scratch.write("src/dep.ts", bad);
			await untilReady(setup, "src/a.ts");
			expect(await setup.codes("src/a.ts")).toBe("2322");
		});
	});

	test("are sent changes since their first answer before they have registered", () =>
		watched(
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

	test("are sent every file of a git checkout of 600 files", async () => {
		const many = (text: string) =>
			Object.fromEntries(
				Array.from({ length: 600 }, (_, i) => [`src/d${i % 20}/m${i}.ts`, `${text}\nexport const m = ${i};\n`]),
			);
		await watched({ "src/a.ts": importer, "src/dep.ts": good, ...many("// one") }, async (setup) => {
			const { scratch, codes, sent } = setup;
			const git = (...args: string[]) =>
				execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
					cwd: scratch.root,
					stdio: "pipe",
				});
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
				sent.length = 0;
				git("checkout", "-q", branch);
				expect(await codes("src/a.ts")).toBe(expected);
				const files = new Set(
					sent
						.flat()
						// The importer is not part of the checkout; the first scan may still report it, since it is as recent as
						// the server.
						.filter((line) => /^[12] src\/(?!a\.ts$)/.test(line))
						.map((line) => line.slice(2)),
				);
				expect(files.size).toBe(601);
			}
		});
	});

	test("leave a tree that stays watched while another caller asks for its changes", async () => {
		await watched({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
			const { scratch, server, watches } = setup;
			await untilReady(setup, "src/a.ts");
			const since = Date.now();
			vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
			try {
				watches.detach(server);
				for (let round = 0; round < 3; round++) {
					vi.advanceTimersByTime(29_000);
					expect(watches.keep(scratch.root)).toBe(true);
				}
				vi.useRealTimers();
				scratch.write("src/dep.ts", bad);
				expect(await watches.changedSince(scratch.root, since)).toContain(scratch.path("src/dep.ts"));
				vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
				expect(watches.keep(scratch.root)).toBe(true);
				vi.advanceTimersByTime(31_000);
				expect(watches.keep(scratch.root)).toBe(false);
			} finally {
				vi.useRealTimers();
			}
		});
	});

	test("get a package that is installed, upgraded and removed", async () => {
		const uses = 'import { value } from "pkg";\nexport const n: number = value;\n';
		await watched({ "src/a.ts": uses, ".gitignore": "node_modules\n" }, async (setup) => {
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

	test("are not sent the change of an open document until it is closed", async () => {
		await watched({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
			const { scratch, server, codes, sent, watches } = setup;
			await untilReady(setup, "src/a.ts");
			server.documents.set(scratch.path("src/dep.ts"), "typescript", good);
			await watches.fresh(server);
			sent.length = 0;
			scratch.write("src/dep.ts", bad);
			await watches.changedSince(scratch.root, 0);
			expect(await codes("src/a.ts")).toBe("");
			expect(sent).toEqual([]);
			server.documents.close(scratch.path("src/dep.ts"));
			expect(await codes("src/a.ts")).toBe("2322");
			server.documents.set(scratch.path("src/dep.ts"), "typescript", bad);
			await watches.fresh(server);
			sent.length = 0;
			scratch.remove("src/dep.ts");
			await watches.fresh(server);
			expect(sent).toEqual([["3 src/dep.ts"]]);
		});
	});

	test("are sent changes since their start when they join a watched tree", async () => {
		await watched({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
			const { scratch, server, watches } = setup;
			await untilReady(setup, "src/a.ts");
			const { config, root, launch } = server;
			const events = { stderr: () => {}, log: () => {}, exited: (gone: LanguageServer) => watches.detach(gone) };
			const next = await LanguageServer.start({ config, root, launch, events, capabilities: clientCapabilities });
			try {
				const codes = async () =>
					(await pullDiagnostics(next, scratch.path("src/a.ts"))).map(({ code }) => code).join();
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

	test("are sent nothing more when they have unregistered", async () => {
		await watched({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
			const { scratch, server, watches, sent } = setup;
			await untilReady(setup, "src/a.ts");
			const { listeners } = setup;
			server.registrations.clear();
			for (const listener of listeners.get("client/unregisterCapability") ?? []) listener([]);
			sent.length = 0;
			scratch.write("src/dep.ts", bad);
			await watches.fresh(server);
			expect(sent).toEqual([]);
			expect(watches.status(server)).toEqual({ state: "off", directories: 0 });
		});
	});
});

/** A source whose watches exist, and whose events never come. */
const silent = (name: SourceName) => ({ ...sources[name], watch: () => () => {} });

describe("a directory that sends no events", () => {
	const files = { "src/a.ts": importer, "src/dep.ts": good };
	const answers = async ({ scratch, codes }: Setup) => {
		for (let i = 0; i < 20; i++) {
			scratch.write("src/dep.ts", i % 2 ? good : bad);
			expect(await codes("src/a.ts")).toBe(i % 2 ? "" : "2322");
		}
	};

	test("is polled with the setting auto when the event of a probe file does not come, and answers are right all along", () =>
		withScratch([], ({ root }) =>
			withTypescript(
				files,
				async (setup) => {
					const { server, watches, codes } = setup;
					await codes("src/a.ts");
					await answers(setup);
					await until("the tree is polled", () => {
						const { source } = watches.status(server);
						return source === "poll" ? met(undefined) : notYet(String(source));
					});
					expect(readdirSync(root)).toEqual([]);
					await answers(setup);
				},
				{ directory: root, sources: { ...sources, native: silent("native"), portable: silent("portable") } },
			),
		));

	test("has correct answers with the setting poll", () =>
		withTypescript(
			files,
			async (setup) => {
				await untilReady(setup, "src/a.ts");
				expect(setup.watches.status(setup.server)).toMatchObject({ state: "degraded", source: "poll" });
				await answers(setup);
			},
			{ source: "poll", sources: { ...sources, poll: silent("poll") } },
		));

	test("has correct answers if no watch is available", () => {
		const watch = () => {
			throw Object.assign(new Error("EMFILE: too many open files"), { code: "EMFILE" });
		};
		return withTypescript(
			files,
			async (setup) => {
				await untilReady(setup, "src/a.ts");
				expect(setup.watches.status(setup.server)).toMatchObject({ state: "degraded", reason: "EMFILE" });
				await answers(setup);
			},
			{ source: "native", sources: { ...sources, native: { ...sources.native, watch } } },
		);
	});
});

describe("the setting `watch`", () => {
	test("takes effect on trees that are watched already", () =>
		withTypescript({ "src/a.ts": importer, "src/dep.ts": good }, async (setup) => {
			const { scratch, server, watches, codes } = setup;
			await untilReady(setup, "src/a.ts");
			for (const setting of ["poll", "portable", "native", "auto"] as const) {
				watches.setting = setting;
				const expected = ["poll", "portable"].includes(setting) ? setting : undefined;
				expect(watches.status(server).source).toBe(expected);
				scratch.write("src/dep.ts", bad);
				expect(await codes("src/a.ts")).toBe("2322");
				scratch.write("src/dep.ts", good);
				expect(await codes("src/a.ts")).toBe("");
			}
			expect(watches.status(server)).toMatchObject({ state: "ready", directories: 2 });
		}));
});

describe("PI_LSP_DISABLE_WATCHERS=1", () => {
	test("makes no watch and no file, and a later setting changes nothing about it", () =>
		withScratch([], ({ root }) => {
			const watch = () => {
				throw new Error("watched");
			};
			const none = { ...sources, native: { ...sources.native, watch }, poll: { ...sources.poll, watch } };
			return withTypescript(
				{ "src/a.ts": importer, "src/dep.ts": good },
				async (setup) => {
					const { server, watches } = setup;
					await untilReady(setup, "src/a.ts");
					watches.setting = "poll";
					await watches.fresh(server);
					expect(watches.status(server)).toEqual({ state: "off", directories: 0 });
					expect(readdirSync(root)).toEqual([]);
				},
				{ source: "off", directory: root, sources: none },
			);
		}));
});
