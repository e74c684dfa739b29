import type { DebugLevel } from "../contract/protocol.ts";
import type { ServerMetrics } from "../util/metrics.ts";
import type { RunningCheck, Service } from "./service.ts";

export interface DaemonControl {
	process(): {
		readonly pid: number;
		readonly upMs: number;
		readonly memoryBytes: number;
		readonly cpuMs: number;
		readonly checks: Readonly<RunningCheck>[];
	};
	metrics(): Record<string, ServerMetrics>;
	setDebug(level: DebugLevel): void;
}

export function daemonControl(service: Service): DaemonControl {
	return {
		process() {
			const { user, system } = process.cpuUsage();
			return {
				pid: process.pid,
				upMs: Date.now() - service.startedAt,
				memoryBytes: process.memoryUsage.rss(),
				cpuMs: Math.round((user + system) / 1000),
				checks: [...service.checks],
			};
		},
		metrics: () => service.metrics.all(),
		setDebug(level) {
			service.pool.debug = level;
		},
	};
}
