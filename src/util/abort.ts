import { setMaxListeners } from "node:events";
import { cancelled } from "../contract/errors.ts";

/**
 * Waits for `promise`, but no longer than `signal` allows. The work itself goes on: others may share it.
 * Rejects with the signal's reason, or with LSP_CANCELLED.
 */
export function waitOrAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) return promise;
	return new Promise<T>((resolve, reject) => {
		const onAbort = () => reject(reasonOf(signal));
		if (signal.aborted) {
			promise.catch(() => {});
			onAbort();
			return;
		}
		signal.addEventListener("abort", onAbort, { once: true });
		promise.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
	});
}

/** The error that an aborted signal stands for. */
export function reasonOf(signal: AbortSignal): Error {
	return signal.reason instanceof Error && signal.reason.name !== "AbortError" ? signal.reason : cancelled();
}

/** A controller whose signal many may listen to: the files of a large check all do, and Node takes that for a leak. */
export function aborter(): AbortController {
	const controller = new AbortController();
	setMaxListeners(0, controller.signal);
	return controller;
}

/** A signal that somebody may end. */
export interface Deadline {
	readonly signal: AbortSignal;
	/** Frees the timer; ends the signal as well if `abort` is true. */
	end(abort?: boolean): void;
}

/** A signal that ends after `ms` milliseconds with `reason`, or when `parent` does. */
export function deadline(ms: number, reason: () => Error, parent?: AbortSignal): Deadline {
	const controller = aborter();
	const timer = setTimeout(() => controller.abort(reason()), ms);
	// A timer must never keep pi alive (docs/facts.md, 12).
	timer.unref();
	const onParent = () => controller.abort(parent && reasonOf(parent));
	if (parent?.aborted) onParent();
	else parent?.addEventListener("abort", onParent, { once: true });
	return {
		signal: controller.signal,
		end(abort = false) {
			clearTimeout(timer);
			parent?.removeEventListener("abort", onParent);
			if (abort) controller.abort();
		},
	};
}

/** Resolves after `ms` milliseconds; rejects when the signal ends first. For polling a fact, never for hoping. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
	return waitOrAbort(new Promise((resolve) => setTimeout(resolve, ms)), signal);
}
