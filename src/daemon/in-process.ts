import type { Caller } from "../contract/caller.ts";
import { paramsFromEnvironment } from "../contract/protocol.ts";
import { heldBackNames, summaryOf } from "../process/environment.ts";
import type { WriteEvent } from "../util/log.ts";
import { dispatch } from "./serve.ts";
import { Service } from "./service.ts";

export function createInProcess(log: WriteEvent = () => {}): Caller & { readonly service: Service } {
	const service = new Service(log);
	const env = async () => process.env;
	const own = { ...paramsFromEnvironment(process.env), environment: summaryOf(process.env) };
	return {
		service,
		call: async <Result>(method: string, params: object, signal = new AbortController().signal) => {
			// As over a socket, calls begin in different turns of the event loop (`RouteCache`).
			await new Promise((resolve) => setImmediate(resolve));
			const result = await dispatch(
				service,
				method,
				{ ...own, ...params },
				{ env, heldBack: async () => heldBackNames(process.env), signal },
			);
			return JSON.parse(JSON.stringify(result ?? null)) as Result;
		},
		close: () => service.close(),
	};
}
