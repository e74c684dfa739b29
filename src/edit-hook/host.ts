import type { Settings } from "../config/read-settings.ts";
import type { CheckReport } from "../contract/check-report.ts";
import type { BaselineParams } from "../contract/protocol.ts";

export interface DaemonCalls {
	warm(): void;
	/** Makes no connection. */
	current(): Promise<Calls | undefined>;
	call<Result>(method: string, params: unknown, signal?: AbortSignal): Promise<Result>;
	/** Also to a daemon that replaces this one, until the call ends. `isSent`: this one has it. Never throws. */
	announce(baseline: BaselineParams, isSent?: boolean): void;
	endCall(call: string): void;
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
	/** `isShown`: the model reads the report. */
	checked(report: CheckReport, isShown: boolean): void;
}
