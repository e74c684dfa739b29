import type { Status } from "../../operations/servers.ts";
import { oneLine } from "../escape.ts";
import { columns } from "./columns.ts";
import { duration, megabytes } from "./status.ts";

const maxDoing = 60;

/** Shares since `before`, `elapsedMs` ago. */
export function topTable(now: Status, before: Status | undefined, elapsedMs: number): string {
	const rows = [
		{ name: "pi-lsp daemon", root: "", state: "active", doing: "", ...now.daemon },
		...now.servers.map((server) => ({
			...server,
			name: oneLine([server.id, server.version].filter(Boolean).join(" ")),
			root: oneLine(server.root),
			doing: oneLine(server.busy ?? server.error ?? server.says ?? "").slice(0, maxDoing),
		})),
	].map((row) => ({ ...row, share: cpuShare(row, before, elapsedMs) }));
	rows.sort((a, b) => (b.share ?? 0) - (a.share ?? 0) || (b.memoryBytes ?? 0) - (a.memoryBytes ?? 0));
	const cells = rows.map(({ name, pid, state, share, memoryBytes, cpuMs, upMs, root, doing }) => [
		name,
		pid === undefined ? "" : String(pid),
		state,
		share === undefined ? "" : `${Math.round(share * 100)} %`,
		memoryBytes === undefined ? "" : megabytes(memoryBytes),
		cpuMs === undefined ? "" : duration(cpuMs),
		upMs === undefined ? "" : duration(upMs),
		doing,
		root,
	]);
	const head = ["SERVER", "PID", "STATE", "CPU", "MEMORY", "CPU TIME", "UP", "DOING", "ROOT"];
	return columns([head, ...cells]).join("\n");
}

function cpuShare(
	{ pid, cpuMs }: { readonly pid?: number; readonly cpuMs?: number },
	before: Status | undefined,
	elapsedMs: number,
): number | undefined {
	const earlier = before && [before.daemon, ...before.servers].find((other) => other.pid === pid)?.cpuMs;
	if (earlier === undefined || cpuMs === undefined || elapsedMs <= 0) return undefined;
	return Math.max(cpuMs - earlier, 0) / elapsedMs;
}
