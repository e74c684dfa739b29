import type { Caller } from "../contract/caller.ts";
import { paramsFromEnvironment } from "../contract/protocol.ts";
import type { WriteEvent } from "../util/log.ts";
import { dispatch } from "./serve.ts";
import { Service } from "./service.ts";

/** A caller that runs the daemon's code in this process, for `--no-daemon` and for tests. */
export function createInProcess(log: WriteEvent = () => {}): Caller & { readonly service: Service } {
	const service = new Service(log);
	const env = async () => process.env;
	return {
		service,
		call: async <Result>(method: string, params: object, signal = new AbortController().signal) => {
			// As over a socket, a call begins in a later turn of the event loop than the one before ended: calls of one turn share
			// what they read from disk (`RouteCache`).
			await new Promise((resolve) => setImmediate(resolve));
			const result = await dispatch(
				service,
				method,
				{ ...paramsFromEnvironment(process.env), ...params },
				{ env, signal },
			);
			// A result that JSON cannot express differs over a socket, so it has to differ here too.
			return JSON.parse(JSON.stringify(result ?? null)) as Result;
		},
		close: () => service.close(),
	};
}
