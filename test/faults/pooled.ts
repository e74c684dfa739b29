import { Pool } from "../../src/pool/pool.ts";
import { type Fake, withFake } from "../fakes/fake.ts";
import type { Script } from "../fakes/script.ts";

/** What a row does with a pool in its own process: clocks of a server's configuration can be short here. */
export interface Pooled {
	readonly pool: Pool;
	readonly fake: Fake;
	/** Asks the fake server for a hover. */
	hover(signal?: AbortSignal): Promise<unknown>;
}

/** Lends a pool with one fake server; at the end no process of it may be left. */
export function withPool<T>(
	script: Script,
	config: Parameters<typeof withFake>[2],
	work: (pooled: Pooled) => Promise<T>,
): Promise<T> {
	return withFake(
		script,
		async (fake) => {
			const pool = new Pool((message) => void fake.log.push(message));
			const hover = (signal?: AbortSignal) =>
				pool.use(fake.route, { workspace: fake.root, env: async () => fake.env, signal }, (server) =>
					server.request("textDocument/hover", { textDocument: { uri: "file:///a" } }, signal),
				);
			try {
				return await work({ pool, fake, hover });
			} finally {
				await pool.close();
			}
		},
		config,
	);
}

/** The code of the error that a promise of our own code ends with, or "no error". */
export function endOf(promise: Promise<unknown>): Promise<string> {
	return promise.then(
		() => "no error",
		(error: { readonly code?: string; readonly message: string }) => error.code ?? `untyped: ${error.message}`,
	);
}
