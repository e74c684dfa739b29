import { dirname, join } from "node:path";
import process from "node:process";
import { LspError } from "../../contract/errors.ts";
import type { ExtensionFunction } from "../../contract/extension.ts";
import { Connection, ConnectionClosedError, ResponseError } from "../../jsonrpc/connection.ts";
import { LineReader, LineWriter } from "../../jsonrpc/ndjson.ts";
import type { Environment } from "../../process/environment.ts";
import { describeExit, ServerProcess } from "../../process/server-process.ts";
import { deadline } from "../../util/abort.ts";
import { addressOf } from "../lifecycle/address.ts";

interface Run {
	/** Of the objects that the module exports. */
	readonly kind: "tools" | "answers";
	readonly input: object;
	readonly cwd: string;
	readonly env: Environment;
	readonly signal: AbortSignal;
	ask(method: string, params: unknown): Promise<unknown>;
}

/** Code of a refused question's error; `data` is its number. */
const refusedQuestion = -32_000;
const maxComplaint = 1000;

/**
 * Runs one call in its own process (`host.ts`), so that a package's faults cost only that call. Rejects with
 * LSP_EXTENSION_FAILED, or like a refused question of the package.
 */
export async function runModule(
	called: ExtensionFunction,
	{ kind, input, cwd, env, signal, ask }: Run,
): Promise<unknown> {
	const failure = (why: string) =>
		new LspError("LSP_EXTENSION_FAILED", `${called.name} of the package ${called.package} failed: ${why}`, {
			package: called.package,
			module: called.module,
		});
	const host = join(dirname(addressOf().program), "extension-host.cjs");
	const launch = { file: process.execPath, args: [host], cwd: dirname(called.module), env };
	const child = await ServerProcess.start(launch).catch(({ message }: Error) => Promise.reject(failure(message)));
	const refused: unknown[] = [];
	const connection = new Connection(new LineReader(child.stdout), new LineWriter(child.stdin), {
		async request(method, params) {
			try {
				return await ask(method, params);
			} catch (thrown) {
				const { message } = thrown as Error;
				throw new ResponseError(refusedQuestion, message, refused.push(thrown) - 1);
			}
		},
		notification() {},
		closed() {},
	});
	const limit = deadline(called.timeout, () => failure(`it did not answer within ${called.timeout / 1000} s.`), signal);
	try {
		const { module, name } = called;
		return await connection.request<unknown>("run", { module, kind, name, input, cwd }, limit.signal);
	} catch (thrown) {
		if (thrown instanceof ConnectionClosedError) {
			child.kill();
			const exit = describeExit(await child.exited, false);
			const said = child.stderrTail(maxComplaint);
			const why = thrown.cause instanceof Error ? `what it wrote is no message (${thrown.cause.message})` : exit;
			throw failure(said === "" ? `${why}.` : `${why}.\n${said}`);
		}
		if (!(thrown instanceof ResponseError)) throw thrown;
		const question = thrown.code === refusedQuestion ? refused[Number(thrown.data)] : undefined;
		throw question ?? failure(thrown.message.slice(0, maxComplaint));
	} finally {
		limit.end();
		connection.dispose();
		child.kill();
	}
}
