import type { DebugLevel } from "../contract/protocol.ts";
import type { Service } from "./service.ts";

export function daemonControl(service: Service) {
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
		setDebug(level: DebugLevel) {
			service.pool.debug = level;
		},
	};
}
