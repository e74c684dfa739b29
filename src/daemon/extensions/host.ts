// One call of a package's tool (`run-module.ts`).
import process from "node:process";
import { pathToFileURL } from "node:url";
import { Connection, ResponseError } from "../../jsonrpc/connection.ts";
import { LineReader, LineWriter } from "../../jsonrpc/ndjson.ts";

type Module = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

/** The bundler would make `require` of it, which takes no ECMAScript module in Node 20. */
const importModule = new Function("url", "return import(url)") as (url: string) => Promise<Module>;

interface Call {
	readonly module: string;
	readonly kind: "tools" | "answers";
	readonly name: string;
	readonly input: object;
	readonly cwd: string;
}

const { stdout } = process;
// What a package prints is no message.
Object.defineProperty(process, "stdout", { value: process.stderr });

const connection = new Connection(new LineReader(process.stdin), new LineWriter(stdout), {
	request: async (_, params, signal) => (await carryOut(params as Call, signal)) ?? null,
	notification() {},
	closed: () => process.exit(0),
});

async function carryOut({ module, kind, name, input, cwd }: Call, signal: AbortSignal): Promise<unknown> {
	try {
		const { [kind]: functions } = await importModule(pathToFileURL(module).href);
		const run = functions?.[name];
		if (typeof run !== "function") throw new Error(`${module} exports no function ${kind}["${name}"].`);
		return await run(input, {
			cwd,
			signal,
			run: (operation: string, about: object = {}) => connection.request("run", { operation, input: about }),
			request: (method: string, about: object = {}, { file }: { readonly file?: string } = {}) =>
				connection.request("request", { method, params: about, file }),
		});
	} catch (thrown) {
		if (thrown instanceof ResponseError) throw thrown;
		const { message } = thrown instanceof Error ? thrown : new Error(String(thrown));
		throw new ResponseError(1, message);
	}
}
