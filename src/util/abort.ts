import { setMaxListeners } from "node:events";
import { cancelled } from "../contract/errors.ts";

/** Waits until `signal` is aborted; the work goes on. Rejects with the signal's reason, or LSP_CANCELLED. */
export function waitOrAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) return promise;
	return new Promise<T>((resolve, reject) => {
		const onAbort = () => reject(abortReason(signal));
		if (signal.aborted) {
			promise.catch(() => {});
			onAbort();
			return;
		}
		signal.addEventListener("abort", onAbort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
	});
}

/** The error of an aborted signal. */
export function abortReason(signal: AbortSignal): Error {
	return signal.reason instanceof Error && signal.reason.name !== "AbortError" ? signal.reason : cancelled();
}

/** Every file of a large check listens, about which Node would warn. */
export function aborter(): AbortController {
	const controller = new AbortController();
	setMaxListeners(0, controller.signal);
	return controller;
}

export interface Deadline {
	readonly signal: AbortSignal;
	/** Frees the timer. The signal stays as it is. */
	end(): void;
	/** Frees the timer and aborts the signal. */
	abort(): void;
}

/** Aborted after `ms` milliseconds, or with `parent`. */
export function deadline(ms: number, reason: () => Error, parent?: AbortSignal): Deadline {
	const controller = aborter();
	const timer = setTimeout(() => controller.abort(reason()), ms);
	// A timer must never keep pi alive (docs/facts.md, 12).
	timer.unref();
	const onParent = () => controller.abort(parent && abortReason(parent));
	if (parent?.aborted) onParent();
	else parent?.addEventListener("abort", onParent, { once: true });
	const end = () => {
		clearTimeout(timer);
		parent?.removeEventListener("abort", onParent);
	};
	return {
		signal: controller.signal,
		end,
		abort() {
			end();
			controller.abort();
		},
	};
}

/** Rejects if the signal is aborted before. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
	return waitOrAbort(new Promise((resolve) => setTimeout(resolve, ms)), signal);
}
