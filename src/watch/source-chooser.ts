import { statfsSync } from "node:fs";
import type { WatchSetting } from "../config/schema.ts";
import type { WriteEvent } from "../util/log.ts";
import { deviceOf, probeParents, sendsEvents } from "./probe.ts";
import type { SourceName, WatchSource } from "./source.ts";
import type { TreeWatcher } from "./tree-watcher.ts";

/** `f_type` (statfs(2)) of file systems without events for changes from outside the machine or container. */
const silentTypes: ReadonlySet<number> = new Set([
	0x6969, // NFS
	0x517b, // SMB
	0xfe534d42, // SMB 2 and 3
	0xff534d42, // CIFS
	0x65735546, // FUSE: sshfs, virtiofs, Docker Desktop
	0x01021997, // 9p: WSL, gVisor, QEMU
	0x786f4256, // vboxsf
	0xbacbacbc, // hgfs of VMware
	0x7c7c6673, // prl_fs of Parallels
	0x5346414f, // AFS
	0x00c36400, // Ceph
]);

function fileSystemType(directory: string): number | undefined {
	try {
		return statfsSync(directory).type >>> 0;
	} catch {
		return undefined;
	}
}

export function automaticSource(
	directory: string,
	platform: NodeJS.Platform = process.platform,
	typeOf: typeof fileSystemType = fileSystemType,
): SourceName {
	if (platform !== "linux") return "portable";
	const type = typeOf(directory);
	return type !== undefined && silentTypes.has(type) ? "poll" : "native";
}

interface Choice {
	readonly source: WatchSource;
	readonly hasTrust: boolean;
}

export class SourceChooser {
	readonly #sources: Readonly<Record<SourceName, WatchSource>>;
	readonly #isOff: boolean;
	readonly #log: WriteEvent | undefined;
	readonly #closing = new AbortController();
	#setting: WatchSetting = "auto";
	readonly #proven = new Set<string>();

	constructor(sources: Readonly<Record<SourceName, WatchSource>>, isOff: boolean, log: WriteEvent | undefined) {
		this.#sources = sources;
		this.#isOff = isOff;
		this.#log = log;
	}

	change(setting: WatchSetting): boolean {
		if (this.#setting === setting) return false;
		this.#setting = setting;
		return !this.#isOff;
	}

	choose(directory: string): Choice {
		if (this.#isOff) return { source: this.#sources.off, hasTrust: true };
		if (this.#setting !== "auto") return { source: this.#sources[this.#setting], hasTrust: true };
		const source = this.#sources[automaticSource(directory)];
		return { source, hasTrust: source.name === "poll" || this.#proven.has(provenKey(source, directory)) };
	}

	foundFileSystem(tree: TreeWatcher, directory: string): void {
		if (this.#isOff || this.#setting !== "auto" || tree.source.name === "poll") return;
		if (automaticSource(directory) === "poll") tree.watchWith(this.#sources.poll, true);
	}

	async prove(tree: TreeWatcher, { source, hasTrust }: Choice, probeParent: string): Promise<void> {
		if (hasTrust) return;
		const isProven = await sendsEvents(source, probeParents(tree.root, probeParent), this.#closing.signal);
		if (tree.source !== source || this.#closing.signal.aborted) return;
		if (isProven) {
			this.#proven.add(provenKey(source, tree.root));
			tree.trustEvents();
		} else {
			this.#log?.("no file events come", { root: tree.root, source: source.name });
			tree.watchWith(this.#sources.poll, true);
		}
	}

	close(): void {
		this.#closing.abort();
	}
}

function provenKey({ name }: WatchSource, directory: string): string {
	return `${name} ${deviceOf(directory)}`;
}
