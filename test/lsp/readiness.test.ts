import { describe, expect, test } from "vitest";
import type { Loading } from "../../server.ts";
import { servers } from "../../server.ts";
import { Readiness } from "../../src/lsp/readiness.ts";
import { withFake } from "../fakes/fake.ts";

const token = 1;
const begin = (title: string) => ({ token, value: { kind: "begin", title } });
const end = { token, value: { kind: "end" } };
const loadingOf = (id: string) => servers.find((server) => server.id === id)?.loading as Loading;

/** True if it resolves without further notifications. */
const settles = async (readiness: Readiness, ms: number) => {
	const before = performance.now();
	await readiness.settled(ms);
	return performance.now() - before < ms;
};

describe("the readiness of a server", () => {
	test("needs no wait if the server reports no loading", async () => {
		const readiness = new Readiness();
		expect(readiness.busy).toBeUndefined();
		expect(await settles(readiness, 5000)).toBe(true);
	});

	test("is missing from the start to the end of the loading that a server reports", async () => {
		const readiness = new Readiness({ announced: true });
		expect(readiness.busy).toBe("starting to load the project");
		const settled = readiness.settled(20_000);
		readiness.received("$/progress", begin("Loading"));
		readiness.received("$/progress", { token, value: { kind: "report", message: "main.ts", percentage: 39.6 } });
		expect([readiness.busy, readiness.percentage]).toEqual(["Loading main.ts 40%", 40]);
		for (const percentage of ["90", Number.NaN, null])
			readiness.received("$/progress", { token, value: { kind: "report", percentage } });
		expect(readiness.percentage).toBe(40);
		readiness.received("$/progress", { token, value: { kind: "report", percentage: 1e9 } });
		expect(readiness.percentage).toBe(100);
		readiness.received("$/progress", end);
		await settled;
		expect(readiness.busy).toBeUndefined();
	});

	test("is waited for until the time is over if a progress never ends", async () => {
		const readiness = new Readiness({ announced: true });
		readiness.received("$/progress", begin("Loading"));
		expect(await settles(readiness, 50)).toBe(false);
		expect(readiness.busy).toBe("Loading");
	});

	test("does not depend on progress of other work", () => {
		const readiness = new Readiness(loadingOf("gopls"));
		readiness.received("$/progress", begin("Setting up workspace"));
		expect(readiness.busy).toBe("Setting up workspace");
		readiness.received("$/progress", end);
		readiness.received("$/progress", begin("Analyzing Dependencies"));
		expect(readiness.busy).toBeUndefined();
	});

	test("follows rust-analyzer's status rather than its progress", async () => {
		const readiness = new Readiness(loadingOf("rust-analyzer"));
		readiness.received("experimental/serverStatus", { health: "ok", quiescent: false, message: null });
		expect(readiness.busy).toBe("loading the project");
		const settled = readiness.settled(20_000);
		readiness.received("$/progress", begin("cargo check"));
		readiness.received("experimental/serverStatus", { health: "ok", quiescent: true });
		await settled;
		expect(readiness.busy).toBeUndefined();
	});

	test("begins for jdtls when its service is ready", async () => {
		const readiness = new Readiness();
		readiness.received("language/status", { type: "Starting", message: "12% Starting Java Language Server" });
		expect(readiness.busy).toBe("12% Starting Java Language Server");
		const settled = readiness.settled(20_000);
		readiness.received("language/status", { type: "Started", message: "Ready" });
		expect(readiness.busy).toBe("Ready");
		readiness.received("language/status", { type: "ServiceReady", message: "ServiceReady" });
		await settled;
		readiness.received("language/status", { type: "ProjectStatus", message: "OK" });
		expect(readiness.busy).toBeUndefined();
	});

	test.each(["Found 2 source files", "Found 1 source file", "No source files found."])(
		"is reached by pyright when it logs: %s",
		async (message) => {
			const readiness = new Readiness(loadingOf("pyright"));
			expect(readiness.busy).toBe("reading the project");
			const settled = readiness.settled(20_000);
			readiness.received("$/progress", begin("Finding references"));
			readiness.received("$/progress", end);
			readiness.received("window/logMessage", { type: 3, message: "Loading pyproject.toml file" });
			expect(readiness.busy).toBe("reading the project");
			readiness.received("window/logMessage", { type: 3, message });
			await settled;
			readiness.received("$/progress", begin("Finding references"));
			expect(readiness.busy).toBeUndefined();
		},
	);

	test("is not changed by malformed notifications", () => {
		const readiness = new Readiness({ announced: true, log: "^done$" });
		for (const method of ["$/progress", "experimental/serverStatus", "language/status", "window/logMessage"])
			for (const params of [undefined, null, 5, "x", [], {}, { token }, { token, value: null }, { message: 7 }])
				expect(() => readiness.received(method, params), method).not.toThrow();
		expect(readiness.busy).toBe("reading the project");
	});
});

test("the readiness changes with the notifications of a server", () =>
	withFake(
		{
			on: [
				{
					method: "initialized",
					do: [
						{ notify: "$/progress", params: begin("Loading") },
						{ delay: 300 },
						{ notify: "$/progress", params: end },
					],
				},
			],
		},
		async (fake) => {
			const server = await fake.start();
			expect(server.readiness.busy).toMatch(/^(starting to load the project|Loading)$/);
			await server.readiness.settled(20_000);
			expect(server.readiness.busy).toBeUndefined();
		},
		{ loading: { announced: true } },
	));
