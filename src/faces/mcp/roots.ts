import { isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import type { Server, ServerContext } from "@modelcontextprotocol/server";
import { namedRoot } from "../../project/named-root.ts";
import { workspaceOf } from "../../project/workspace-of.ts";
import { attempt } from "../../util/attempt.ts";
import { realPathOf, statOf } from "../../util/files.ts";
import { isInside } from "../../util/paths.ts";

const answerMs = 5000;
/** An answer counts so long: some clients first ask their person. */
const lateMs = 600_000;
const maxNamed = 100;

type Send = ServerContext["mcpReq"]["send"];

export interface CallDirectory {
	readonly cwd: string;
	/** The model named it: the environment's trust does not count. */
	readonly trust?: false;
}

/**
 * First `given`, then the client's first root, then this process's, read again after
 * `notifications/roots/list_changed`.
 */
export class ClientDirectories {
	#first: Promise<string>;
	#others: Promise<readonly string[]> = Promise.resolve([]);
	readonly #named = new Set<string>();

	readonly #given: string | undefined;
	#isStale = false;

	constructor(given: string | undefined) {
		this.#given = given;
		this.#first = Promise.resolve(given ?? process.cwd());
	}

	follow(server: Server): void {
		const note = () => {
			this.#isStale = server.getClientCapabilities()?.roots !== undefined;
		};
		server.oninitialized = note;
		server.setNotificationHandler("notifications/roots/list_changed", note);
	}

	/** Over HTTP, clients may hear nothing outside a request. */
	update(send: Send): void {
		if (!this.#isStale) return;
		this.#isStale = false;
		const known = this.#others;
		const asked = localRoots(send);
		const late = new Promise<readonly string[]>((resolve) => setTimeout(() => resolve(known), answerMs).unref());
		const inTime = Promise.race([asked, late]);
		this.#take(inTime);
		void asked.then(() => {
			if (this.#others === inTime) this.#take(asked);
		});
	}

	#take(roots: Promise<readonly string[]>): void {
		const before = this.#first;
		if (this.#given === undefined) this.#first = roots.then(async ([root]) => root ?? before);
		this.#others = roots;
	}

	get first(): Promise<string> {
		return this.#first;
	}

	get all(): Promise<readonly string[]> {
		return Promise.all([this.#first, this.#others]).then(([first, others]) => [
			...new Set([first, ...others, ...this.#named]),
		]);
	}

	async around(given: string): Promise<CallDirectory | undefined> {
		const path = await real(given);
		const isAround = async (directory: string) => isInside(path, await workspaceOf(await real(directory)));
		for (const root of [await this.#first, ...(await this.#others)]) if (await isAround(root)) return { cwd: root };
		for (const directory of this.#named) if (await isAround(directory)) return { cwd: directory, trust: false };
		return undefined;
	}

	/** With `mayName`, an argument may name a new workspace. */
	async of(args: Readonly<Record<string, unknown>>, mayName: boolean): Promise<CallDirectory> {
		const cwd = await this.#first;
		const [given] = pathsIn(args);
		if (given === undefined) return { cwd };
		const around = await this.around(given.path);
		if (around) return around;
		const path = await real(given.path);
		const named = mayName && given.isDirectory && this.#named.size < maxNamed ? await namedRoot(path) : undefined;
		if (named === undefined) return { cwd };
		this.#named.add(named);
		return { cwd: named, trust: false };
	}
}

async function real(path: string): Promise<string> {
	return (await realPathOf(path)) ?? path;
}

const directoryFields = ["root_dir", "workspace_root", "workspace_dir", "directory"];
const pathFields = [...directoryFields, "file_path", "file", "files", "path", "uri", "changes", "from", "to"];

function pathsIn(args: object): { readonly path: string; readonly isDirectory: boolean }[] {
	return Object.entries(args).flatMap(([name, value]) => {
		if (!pathFields.includes(name)) return [];
		return [value].flat().flatMap((each: unknown) => {
			if (typeof each === "object" && each !== null) return pathsIn(each);
			const path = typeof each === "string" ? (pathOf(each) ?? each) : "";
			// agent-lsp's name for folders is `path`.
			return isAbsolute(path) ? [{ path, isDirectory: directoryFields.includes(name) || name === "path" }] : [];
		});
	});
}

async function localRoots(send: Send): Promise<string[]> {
	const { roots } = await send({ method: "roots/list" }, { timeout: lateMs }).catch(() => ({ roots: [] }));
	const found: string[] = [];
	for (const { uri } of roots) {
		const path = pathOf(uri);
		if (path !== undefined && (await statOf(path))?.isDirectory()) found.push(path);
	}
	return found;
}

function pathOf(uri: string): string | undefined {
	return attempt(() => fileURLToPath(uri));
}
