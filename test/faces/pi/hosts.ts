import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { REPOSITORY } from "../../support/repository.ts";

/** A pi that pi-lsp is tried in: which one, what runs it, and where its words and events differ. */
export interface PiHost {
	readonly name: string;
	/** Its package's directory. */
	readonly package: string;
	/** How it is started: `node cli`. */
	readonly node: string;
	readonly cli: string;
	/** What it says of a write. */
	wrote(path: string, content: string): string;
	/** The event after which a run does nothing more of itself. */
	readonly settles: "agent_end" | "agent_settled";
	/** What its screen shows when it takes a prompt. */
	readonly ready: RegExp;
}

/** Where `scripts/install-hosts.mjs` puts hosts that are not among the dependencies. */
export const HOSTS_FOLDER: string = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pi-lsp-hosts");

const modules = join(HOSTS_FOLDER, "node_modules");

/** All of them; the first is the one of `npm test`. */
export const HOSTS: readonly [PiHost, ...PiHost[]] = [
	{
		name: "0.73.1",
		package: join(REPOSITORY, "node_modules/@mariozechner/pi-coding-agent"),
		node: process.execPath,
		cli: join(REPOSITORY, "node_modules/@mariozechner/pi-coding-agent/dist/cli.js"),
		wrote: (path, content) => `Successfully wrote ${content.length} bytes to ${path}`,
		settles: "agent_end",
		ready: /scripted/i,
	},
	{
		name: "0.87.1",
		package: join(modules, "@earendil-works/pi-coding-agent"),
		node: join(modules, `node-${process.platform}-${process.arch}/bin/node`),
		cli: join(modules, "@earendil-works/pi-coding-agent/dist/bundle/cli.js"),
		wrote: (path) => `Successfully wrote to ${path}`,
		settles: "agent_settled",
		ready: /\[Extensions\][\s\S]*scripted/,
	},
];

/** The pi that this run of the tests drives; `npm run test:hosts` names another one than the first. */
export const HOST: PiHost = hostNamed(process.env.PI_LSP_TEST_HOST ?? HOSTS[0].name);

/** Whether a host is there to be driven. */
export function isInstalled({ cli, node }: PiHost): boolean {
	return existsSync(cli) && existsSync(node);
}

function hostNamed(name: string): PiHost {
	const host = HOSTS.find((each) => each.name === name);
	if (host === undefined) throw new Error(`no host ${name}; there are ${HOSTS.map((each) => each.name).join(", ")}`);
	return host;
}
