/** Carries calls out: the daemon over its socket, or the face's own process. */
export interface Caller {
	/** Calls an operation or a method of the daemon. Rejects with an LspError. */
	call<Result>(method: string, params: object, signal?: AbortSignal): Promise<Result>;
	close(): Promise<void>;
}
