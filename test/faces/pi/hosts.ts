import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { REPOSITORY } from "../../support/repository.ts";

/** A pi for the tests: its package, its Node, and the differences of its texts and events. */
export interface PiHost {
	readonly name: string;
	/** The directory of its package. */
	readonly package: string;
	/** The command that starts it: `node cli`. */
	readonly node: string;
	readonly cli: string;
	/** Its result of a write. */
	wrote(path: string, content: string): string;
	/** The event after which a run does nothing more by itself. */
	readonly settles: "agent_end" | "agent_settled";
	/** The text on its screen when it takes a prompt. */
	readonly ready: RegExp;
}

/** The folder into which `scripts/install-hosts.mjs` installs hosts that are not among the dependencies. */
export const HOSTS_FOLDER: string = join(process.env.XDG_CACHE_HOME || join(homedir(), ".cache"), "pi-lsp-hosts");

const modules = join(HOSTS_FOLDER, "node_modules");

/** All hosts; the first is the one of `npm test`. */
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

/** The pi of this run; `npm run test:hosts` names another one than the first. */
export const HOST: PiHost = hostNamed(process.env.PI_LSP_TEST_HOST ?? HOSTS[0].name);

/** True if a host is installed. */
export function isInstalled({ cli, node }: PiHost): boolean {
	return existsSync(cli) && existsSync(node);
}

function hostNamed(name: string): PiHost {
	const host = HOSTS.find((each) => each.name === name);
	if (host === undefined) throw new Error(`no host ${name}; there are ${HOSTS.map((each) => each.name).join(", ")}`);
	return host;
}
