/** What `status` shows; see operations/servers.ts. */
export interface ShownStatus {
	readonly daemon: { readonly pid: number; readonly upMs: number; readonly memoryBytes: number };
	readonly servers: readonly {
		readonly id: string;
		readonly root: string;
		readonly state: string;
		readonly strategy?: string;
		readonly pid?: number;
		readonly version?: string;
		readonly upMs?: number;
		readonly documents?: number;
		readonly busy?: string;
		readonly error?: string;
	}[];
	readonly problems: readonly string[];
}

export function statusText({ daemon, servers, problems }: ShownStatus): string {
	const head = `daemon: pid ${daemon.pid}, up ${duration(daemon.upMs)}, ${megabytes(daemon.memoryBytes)}`;
	const lines = servers.map(({ id, version, root, state, pid, upMs, documents, strategy, busy, error }) =>
		[
			`${id}${version ? ` ${version}` : ""}: ${state}`,
			pid === undefined ? "" : `pid ${pid}`,
			upMs === undefined ? "" : `up ${duration(upMs)}`,
			documents === undefined ? "" : `${documents} open`,
			strategy ?? "",
			busy ?? "",
			error ?? "",
			root,
		]
			.filter(Boolean)
			.join(", "),
	);
	return [head, ...(lines.length ? lines : ["No language server is running."]), ...problems].join("\n");
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
