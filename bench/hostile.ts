import { connectDaemon, type DaemonClient } from "../src/daemon/lifecycle/connect.ts";
import { pause } from "../src/util/abort.ts";
import { daemonOf } from "../test/daemon/daemon.ts";
import { withServers } from "../test/live/languages.ts";
import { residentMegabytes } from "../test/support/processes.ts";
import { loopMs } from "../test/support/processor.ts";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../test/support/workspace.ts";
import { hostileTexts } from "../test/texts/shapes.ts";
import { withDaemon } from "./daemon.ts";
import { atMost, type Benchmark, type Figure } from "./figures.ts";
import { spreadOf } from "./statistics.ts";

const budgetMs = 1500;
const quietMs = 60_000;

/** Sources and configuration files that a hostile text is written over. */
const sources = ["src/a.ts", "src/a.py", "src/a.c", "src/a.go", "src/a.rs", "src/a.json", "src/a.yaml"];
const configurations = [".pi-lsp.json", ".gitignore", "package.json", "tsconfig.json", "pyproject.toml", "go.mod"];

/** How much a daemon that works on hostile texts delays another client, and its memory. */
export const hostile: Benchmark = {
	name: "hostile",
	run: (log) => {
		const files = { ...TYPESCRIPT_PROJECT, "src/ok.ts": "export const ok = 1;\n", "src/a.ts": "export {};\n" };
		return withWorkspace(files, (ws) => withDaemon(ws, (daemon) => measure(ws, daemon, log)));
	},
};

async function measure(ws: Workspace, daemon: DaemonClient, log: (line: string) => void): Promise<Figure[]> {
	await checkEdit(ws, daemon, "src/ok.ts");
	const { pid } = daemonOf(ws);
	const watch = new Watch(pid);
	await pause(2_000);
	const before = residentMegabytes(pid);
	const client = await connectDaemon(withServers(ws.env));
	const watching = watch.run(() => client.call("status", { cwd: ws.base, input: {} }));
	for (const [shape, text] of hostileTexts) {
		for (const file of [...sources, ...configurations]) {
			watch.subject = `${file} of ${shape}`;
			const kept = configurations.includes(file) && file in TYPESCRIPT_PROJECT ? ws.read(file) : "";
			await checkEdit(ws, daemon, sources.includes(file) ? file : "src/ok.ts", () => ws.write(file, text));
			ws.write(file, kept);
		}
	}
	watch.stop();
	await watching;
	client.close();
	for (const { ms, clockMs, subject } of watch.waits.toSorted((a, b) => b.ms - a.ms).slice(0, 5))
		log(`status took ${Math.round(ms)} ms (${Math.round(clockMs)} of wall time) during ${subject}`);
	await daemon.call("restart", { cwd: ws.root, input: {} });
	const end = performance.now() + quietMs;
	let after = residentMegabytes(pid);
	while (performance.now() < end) {
		await pause(1_000);
		after = Math.min(after, residentMegabytes(pid));
	}
	const longest = Math.max(...watch.waits.map(({ ms }) => ms));
	return [
		{ what: "status during a hostile text", unit: "ms", ours: spreadOf(watch.waits.map(({ ms }) => ms)) },
		{ what: "the same by the clock", unit: "ms", ours: spreadOf(watch.waits.map(({ clockMs }) => clockMs)) },
		atMost("status during a hostile text, longest wait", "ms", longest, 300),
		atMost("memory of the daemon at most", "MB", watch.peak, 700),
		atMost("memory of the daemon a minute later, more than before", "MB", after - before, 20),
	];
}

/** An edit as an agent makes it, and the daemon's answer or refusal. */
async function checkEdit(ws: Workspace, daemon: DaemonClient, file: string, edit = () => {}): Promise<void> {
	const call = { cwd: ws.root, session: "hostile", call: `${performance.now()}`, file: ws.path(file) };
	const text = file === "src/ok.ts" ? ws.read(file) : "";
	ws.write(file, text);
	daemon.notify("baseline", { ...call, text });
	edit();
	await daemon.call("check_edit", { ...call, scope: "affected", budget: budgetMs }).catch(() => undefined);
}

/** Requests the status repeatedly. A wait is the processor time that the daemon's event loop uses before its answer. */
class Watch {
	readonly #pid: number;
	#stopped = false;
	readonly waits: { readonly ms: number; readonly clockMs: number; readonly subject: string }[] = [];
	subject = "";
	peak = 0;

	constructor(pid: number) {
		this.#pid = pid;
	}

	async run(ask: () => Promise<unknown>): Promise<void> {
		while (!this.#stopped) {
			const [began, subject] = [loopMs(this.#pid), this.subject];
			const start = performance.now();
			await ask();
			this.waits.push({ ms: loopMs(this.#pid) - began, clockMs: performance.now() - start, subject });
			this.peak = Math.max(this.peak, residentMegabytes(this.#pid));
			await pause(10);
		}
	}

	stop(): void {
		this.#stopped = true;
	}
}
