import { oneLine } from "../escape.ts";

/** One server as `status` shows it; see operations/servers.ts. */
export interface ShownServer {
	readonly id: string;
	readonly root: string;
	readonly state: string;
	readonly strategy?: string;
	readonly pid?: number;
	readonly version?: string;
	readonly memoryBytes?: number;
	readonly cpuMs?: number;
	readonly upMs?: number;
	readonly documents?: number;
	readonly learnedMs?: number;
	readonly busy?: string;
	readonly error?: string;
	readonly watch?: { readonly state: string; readonly source?: string; readonly reason?: string };
	readonly environmentMismatch?: readonly string[];
	readonly replaced?: string;
}

/** What `status` shows. */
export interface ShownStatus {
	readonly daemon: {
		readonly pid: number;
		readonly upMs: number;
		readonly memoryBytes: number;
		readonly cpuMs?: number;
	};
	readonly servers: readonly ShownServer[];
	readonly problems: readonly string[];
}

/** One line for each server, for shells and logs. */
export function statusText({ daemon, servers, problems }: ShownStatus): string {
	const head = `daemon: pid ${daemon.pid}, up ${duration(daemon.upMs)}, ${megabytes(daemon.memoryBytes)}`;
	const lines = servers.map((server) =>
		[`${named(server)}: ${server.state}`, ...facts(server), oneLine(server.root)].join(", "),
	);
	return [head, ...(lines.length ? lines : ["No language server is running."]), ...problems.map(oneLine)].join("\n");
}

/** The same for a person's screen: a server's name and state on one line, what is known of it below. */
export function statusPanel({ daemon, servers, problems }: ShownStatus): string {
	const width = Math.max(0, ...servers.map((server) => named(server).length));
	const lines = servers.flatMap((server) => {
		const known = facts(server);
		return [
			`  ${marks[server.state] ?? "○"} ${named(server).padEnd(width)}  ${server.state.padEnd(11)}  ${oneLine(server.root)}`,
			...(known.length ? [`      ${known.join(" · ")}`] : []),
		];
	});
	const memory = servers.reduce((sum, { memoryBytes = 0 }) => sum + memoryBytes, daemon.memoryBytes);
	return [
		`LSP  daemon pid ${daemon.pid} · up ${duration(daemon.upMs)} · ${megabytes(daemon.memoryBytes)}, ${megabytes(memory)} with its servers`,
		...(lines.length ? lines : ["  No language server is running; one starts with the first edit or question."]),
		...problems.map((problem) => `  ! ${oneLine(problem)}`),
	].join("\n");
}

/** What somebody below a directory waits for: a server that starts, or what one says that it is doing. */
export function waitingText({ servers }: ShownStatus, cwd: string): string | undefined {
	const near = servers.filter(({ root }) => inside(root, cwd) || inside(cwd, root));
	const starting = near.filter(({ state }) => state === "starting").map(({ id }) => oneLine(id));
	if (starting.length > 0) return `starting ${starting.join(", ")}…`;
	const busy = near.find((server) => server.busy !== undefined);
	return busy && `${oneLine(busy.id)}: ${oneLine(busy.busy ?? "")}`;
}

const marks: Readonly<Record<string, string>> = { active: "●", starting: "◐", stopping: "◐", broken: "✗" };

function named({ id, version }: ShownServer): string {
	return oneLine(version ? `${id} ${version}` : id);
}

function facts(server: ShownServer): string[] {
	const { pid, memoryBytes, upMs, documents, strategy, learnedMs, busy, error, watch, environmentMismatch } = server;
	return [
		pid === undefined ? "" : `pid ${pid}`,
		memoryBytes === undefined ? "" : megabytes(memoryBytes),
		upMs === undefined ? "" : `up ${duration(upMs)}`,
		documents === undefined ? "" : `${documents} open`,
		strategy ?? "",
		learnedMs === undefined ? "" : `waits ${duration(learnedMs)} for silence`,
		watch ? watchFact(watch) : "",
		environmentMismatch ? `started with another environment (${environmentMismatch.map(oneLine).join(", ")})` : "",
		server.replaced ? oneLine(server.replaced) : "",
		busy ? oneLine(busy) : "",
		error ? oneLine(error) : "",
	].filter(Boolean);
}

/** What a person has to know of the watching; nothing while it is native and complete. */
function watchFact({ state, source, reason }: NonNullable<ShownServer["watch"]>): string {
	const how = source ? `watch: ${oneLine(source)}` : state === "degraded" ? "watching is degraded" : "";
	return how && reason ? `${how} (${oneLine(reason)})` : how;
}

function inside(path: string, directory: string): boolean {
	return path === directory || path.startsWith(`${directory}/`);
}

/** Milliseconds as a person says them: 850 ms, 12 s, 3 min, 2 h. */
export function duration(ms: number): string {
	if (ms < 1000) return `${Math.round(ms)} ms`;
	if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
	return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

/** Bytes as megabytes. */
export function megabytes(bytes: number): string {
	return `${Math.round(bytes / 1_000_000)} MB`;
}
