/** Whoever can carry a call out: the daemon over its socket, or this very process. */
export interface Caller {
	/** Calls an operation or one of the daemon's methods; rejects with an LspError. */
	call<Result>(method: string, params: object, signal?: AbortSignal): Promise<Result>;
	close(): Promise<void>;
}
