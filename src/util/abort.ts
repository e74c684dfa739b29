import { setMaxListeners } from "node:events";
import { cancelled } from "../contract/errors.ts";

/** The work goes on. Rejects with the signal's reason, or LSP_CANCELLED. */
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

export function abortReason(signal: AbortSignal): Error {
	return signal.reason instanceof Error && signal.reason.name !== "AbortError" ? signal.reason : cancelled();
}

/** Node would warn: each file of a large check listens. */
export function aborter(): AbortController {
	const controller = new AbortController();
	setMaxListeners(0, controller.signal);
	return controller;
}

export async function withSignals<T>(
	signals: readonly (AbortSignal | undefined)[],
	work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
	const controller = aborter();
	const links = signals.flatMap((signal) =>
		signal ? [{ signal, end: () => controller.abort(abortReason(signal)) }] : [],
	);
	for (const { signal, end } of links) {
		if (signal.aborted) end();
		signal.addEventListener("abort", end, { once: true });
	}
	try {
		return await work(controller.signal);
	} finally {
		for (const { signal, end } of links) signal.removeEventListener("abort", end);
	}
}

export interface Deadline {
	readonly signal: AbortSignal;
	end(): void;
	abort(): void;
}

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

const steps = 10;

/** A long turn of the event loop counts as a tenth of `ms` at most: answers wait for it too. */
export function timeoutInSteps(ms: number): AbortSignal {
	const controller = new AbortController();
	let left = steps;
	const step = () => {
		if (left-- > 0) setTimeout(step, ms / steps).unref();
		else controller.abort(new DOMException("The operation timed out.", "TimeoutError"));
	};
	step();
	return controller.signal;
}

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
	return waitOrAbort(new Promise((resolve) => setTimeout(resolve, ms)), signal);
}
