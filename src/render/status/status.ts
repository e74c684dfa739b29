import type { ServerStatus, Status } from "../../operations/servers.ts";
import { oneLine } from "../escape.ts";

export function statusText({ daemon, servers, problems }: Status): string {
	const head = `daemon: pid ${daemon.pid}, up ${duration(daemon.upMs)}, ${megabytes(daemon.memoryBytes)}`;
	const lines = servers.map((server) =>
		[`${nameAndVersion(server)}: ${server.state}`, ...facts(server), oneLine(server.root)].join(", "),
	);
	return [head, ...(lines.length ? lines : ["No language server is running."]), ...problems.map(oneLine)].join("\n");
}

export function statusPanel({ daemon, servers, problems }: Status): string {
	const width = Math.max(0, ...servers.map((server) => nameAndVersion(server).length));
	const lines = servers.flatMap((server) => {
		const known = serverFacts(server);
		return [`  ${serverRow(server, width)}`, ...(known ? [`      ${known}`] : [])];
	});
	const memory = servers.reduce((sum, { memoryBytes = 0 }) => sum + memoryBytes, daemon.memoryBytes);
	return [
		`LSP  daemon pid ${daemon.pid} · up ${duration(daemon.upMs)} · ${megabytes(daemon.memoryBytes)}, ${megabytes(memory)} with its servers`,
		...(lines.length ? lines : ["  No language server is running; one starts with the first edit or question."]),
		...problems.map((problem) => `  ! ${oneLine(problem)}`),
	].join("\n");
}

export function waitingText({ servers }: Status, cwd: string): string | undefined {
	const near = servers.filter(({ root }) => inside(root, cwd) || inside(cwd, root));
	const starting = near.filter(({ state }) => state === "starting").map(({ id }) => oneLine(id));
	if (starting.length > 0) return `starting ${starting.join(", ")}…`;
	const busy = near.find((server) => server.busy !== undefined);
	return busy && `${oneLine(busy.id)}: ${oneLine(busy.busy ?? "")}`;
}

/** `width`: of names in a list. */
export function serverRow(server: ServerStatus, width = 0): string {
	const mark = marks[server.state] ?? "○";
	return `${mark} ${nameAndVersion(server).padEnd(width)}  ${server.state.padEnd(11)}  ${oneLine(server.root)}`;
}

export function serverFacts(server: ServerStatus): string {
	return facts(server).join(" · ");
}

const marks: Readonly<Record<string, string>> = { active: "●", starting: "◐", stopping: "◐", broken: "✗" };

function nameAndVersion({ id, version }: ServerStatus): string {
	return oneLine(version ? `${id} ${version}` : id);
}

function facts(server: ServerStatus): string[] {
	const { pid, memoryBytes, upMs, documents, strategy, learnedMs, busy, says, error, watch, environmentMismatch } =
		server;
	return [
		pid === undefined ? "" : `pid ${pid}`,
		memoryBytes === undefined ? "" : megabytes(memoryBytes),
		upMs === undefined ? "" : `up ${duration(upMs)}`,
		documents === undefined ? "" : `${documents} open`,
		strategy ?? "",
		learnedMs === undefined ? "" : `waits for ${duration(learnedMs)} of silence`,
		watch ? watchFact(watch) : "",
		environmentMismatch
			? `its environment differs from that of another one of this project (${environmentMismatch.map(oneLine).join(", ")})`
			: "",
		server.replaced ? oneLine(server.replaced) : "",
		busy ? oneLine(busy) : "",
		says ? `it said: ${oneLine(says)}` : "",
		error ? oneLine(error) : "",
	].filter(Boolean);
}

/** "" while watching is native and complete. */
function watchFact({ state, source, reason }: NonNullable<ServerStatus["watch"]>): string {
	const how = source ? `watch: ${oneLine(source)}` : state === "degraded" ? "watching is degraded" : "";
	return how && reason ? `${how} (${oneLine(reason)})` : how;
}

function inside(path: string, directory: string): boolean {
	return path === directory || path.startsWith(`${directory}/`);
}

export function duration(ms: number): string {
	if (ms < 1000) return `${Math.round(ms)} ms`;
	if (ms < 60_000) return `${Math.round(ms / 1000)} s`;
	return ms < 3_600_000 ? `${Math.round(ms / 60_000)} min` : `${Math.round(ms / 3_600_000)} h`;
}

export function megabytes(bytes: number): string {
	return `${Math.round(bytes / 1_000_000)} MB`;
}
