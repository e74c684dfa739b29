import type { Caller } from "../contract/caller.ts";
import { said } from "../contract/protocol.ts";
import type { WriteEvent } from "../util/log.ts";
import { dispatch } from "./serve.ts";
import { Service } from "./service.ts";

/** The other caller: the same code without a socket, for `--no-daemon` and for tests. */
export function createInProcess(log: WriteEvent = () => {}): Caller & { readonly service: Service } {
	const service = new Service(log);
	const env = async () => process.env;
	return {
		service,
		call: async <Result>(method: string, params: object, signal = new AbortController().signal) => {
			// A call is heard in a later turn of the event loop than the answer to the one before, as over a socket: within a turn
			// calls share what they look at on disk.
			await new Promise((resolve) => setImmediate(resolve));
			const result = await dispatch(service, method, { ...said(process.env), ...params }, env, signal);
			// What cannot be told over a socket must not be told here either: results go through JSON.
			return JSON.parse(JSON.stringify(result ?? null)) as Result;
		},
		close: async () => {
			await service.close();
		},
	};
}
