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
	/** Adds to parameters with a `cwd` what the host trusts. */
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
	/** `isShown` is true if the model reads the report too. */
	checked(report: CheckReport, isShown: boolean): void;
}
