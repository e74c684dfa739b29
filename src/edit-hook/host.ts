import type { Settings } from "../config/read-settings.ts";
import type { CheckReport } from "../contract/check-report.ts";

export interface DaemonCalls {
	/** Starts the daemon if none runs; waits for nothing. */
	warm(): void;
	/** Makes no connection. */
	current(): Promise<Calls | undefined>;
	/** Starts the daemon if none runs. */
	call<Result>(method: string, params: unknown, signal?: AbortSignal): Promise<Result>;
	/** Never throws. */
	notify(method: string, params: unknown): void;
	/** Adds what the host trusts to parameters with a `cwd`. */
	withTrust(params: unknown): unknown;
}

interface Calls {
	call<Result>(method: string, params: unknown, signal?: AbortSignal): Promise<Result>;
	notify(method: string, params: unknown): void;
}

export interface HookSettings {
	settings(cwd: string): Promise<Settings>;
}

export interface HookWatcher {
	during<Result>(work: Promise<Result>): Promise<Result>;
	/** `isShown`: the model reads it too. */
	checked(report: CheckReport, isShown: boolean): void;
}
