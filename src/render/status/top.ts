import { oneLine } from "../escape.ts";
import { duration, megabytes, type ShownStatus } from "./status.ts";

/**
 * What costs what: a table of the daemon and its servers, the dearest first. The share of a processor is that since
 * `before`, `elapsedMs` ago; without it nothing is said of it.
 */
export function topTable(now: ShownStatus, before: ShownStatus | undefined, elapsedMs: number): string {
	const rows = [
		{ name: "pi-lsp daemon", root: "", state: "active", ...now.daemon },
		...now.servers.map((server) => ({
			...server,
			name: oneLine([server.id, server.version].filter(Boolean).join(" ")),
		})),
	].map((row) => ({ ...row, share: shareOf(row, before, elapsedMs) }));
	rows.sort((a, b) => (b.share ?? 0) - (a.share ?? 0) || (b.memoryBytes ?? 0) - (a.memoryBytes ?? 0));
	const cells = rows.map(({ name, pid, state, share, memoryBytes, cpuMs, upMs, root }) => [
		name,
		pid === undefined ? "" : String(pid),
		state,
		share === undefined ? "" : `${Math.round(share * 100)} %`,
		memoryBytes === undefined ? "" : megabytes(memoryBytes),
		cpuMs === undefined ? "" : duration(cpuMs),
		upMs === undefined ? "" : duration(upMs),
		root,
	]);
	const head = ["SERVER", "PID", "STATE", "CPU", "MEMORY", "CPU TIME", "UP", "ROOT"];
	const widths = head.map((title, column) => Math.max(title.length, ...cells.map((row) => row[column]?.length ?? 0)));
	return [head, ...cells]
		.map((row) =>
			row
				.map((cell, column) => cell.padEnd(widths[column] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

function shareOf(
	{ pid, cpuMs }: { readonly pid?: number; readonly cpuMs?: number },
	before: ShownStatus | undefined,
	elapsedMs: number,
): number | undefined {
	const earlier = before && [before.daemon, ...before.servers].find((other) => other.pid === pid)?.cpuMs;
	if (earlier === undefined || cpuMs === undefined || elapsedMs <= 0) return undefined;
	return Math.max(cpuMs - earlier, 0) / elapsedMs;
}
