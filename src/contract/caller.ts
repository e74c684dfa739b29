export interface Caller {
	/** Rejects with an LspError. */
	call<Result>(method: string, params: object, signal?: AbortSignal): Promise<Result>;
	close(): Promise<void>;
}
