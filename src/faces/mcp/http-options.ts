import { isIP } from "node:net";
import { resolve } from "node:path";
import { readText } from "../../util/read-file.ts";
import { printAside } from "../cli/print.ts";
import { isLoopback } from "./http-gate.ts";

export interface HttpOptions {
	/** 0 means any free one. */
	readonly port: number;
	readonly address: string;
	readonly token: string | undefined;
	readonly hosts: readonly string[];
	readonly tls?: { readonly cert: string; readonly key: string };
}

export const httpArguments = {
	http: { type: "boolean" },
	port: { type: "string" },
	"listen-addr": { type: "string" },
	token: { type: "string" },
	"token-file": { type: "string" },
	"no-auth": { type: "boolean" },
	"allow-host": { type: "string", multiple: true },
	"tls-cert": { type: "string" },
	"tls-key": { type: "string" },
} as const;

type Given = {
	readonly [Name in keyof typeof httpArguments]?: (typeof httpArguments)[Name] extends { multiple: true }
		? readonly string[] | undefined
		: string | boolean | undefined;
};

const variables = ["PI_LSP_TOKEN", "AGENT_LSP_TOKEN"];
const maxSecretBytes = 64 * 1024;

/** Servers inherit the environment: the token is taken out. */
export async function httpOptions(given: Given, mistake: (message: string) => Error): Promise<HttpOptions | undefined> {
	const inEnvironment = variables.map((name) => process.env[name]).find(Boolean);
	for (const name of variables) delete process.env[name];
	if (given.http !== true) {
		const stray = Object.keys(httpArguments).find((name) => given[name as keyof Given] !== undefined);
		if (stray !== undefined) throw mistake(`--${stray} needs --http.`);
		return undefined;
	}
	const read = async (option: "token-file" | "tls-cert" | "tls-key") => {
		const file = given[option];
		if (file === undefined) return undefined;
		const text = await readText(resolve(String(file)), { maxBytes: maxSecretBytes, within: "anywhere" });
		if (text === undefined) throw mistake(`--${option} ${file}: cannot be read.`);
		return text;
	};
	const port = Number(given.port ?? 8080);
	if (!Number.isInteger(port) || port < 0 || port > 65_535) throw mistake("--port is a number from 0 to 65535.");
	const address = String(given["listen-addr"] ?? "127.0.0.1");
	if (isIP(address) === 0) throw mistake("--listen-addr is an IP address.");
	if (given.token !== undefined)
		printAside("mcp: --token can be read by other users of this machine; set PI_LSP_TOKEN instead.");
	const token = ((await read("token-file"))?.trim() || inEnvironment) ?? given.token?.toString();
	if (given["no-auth"] === true && !isLoopback(address))
		throw mistake("--no-auth is for a loopback address only, such as 127.0.0.1.");
	if (given["no-auth"] === true && token) throw mistake("--no-auth and a token exclude each other.");
	if (given["no-auth"] !== true && !token)
		throw mistake("--http needs a token: PI_LSP_TOKEN or --token-file; or --no-auth on a loopback address.");
	const [cert, key] = [await read("tls-cert"), await read("tls-key")];
	if ((cert === undefined) !== (key === undefined)) throw mistake("--tls-cert and --tls-key go together.");
	return {
		port,
		address,
		token: token || undefined,
		hosts: given["allow-host"] ?? [],
		...(cert !== undefined && key !== undefined ? { tls: { cert, key } } : {}),
	};
}
