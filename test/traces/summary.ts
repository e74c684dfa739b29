import { hostileAddress } from "./hostile.ts";

/** What a server did by itself in a hostile tree. */
export interface Recorded {
	readonly version: string;
	/** True if it was allowed to run what the tree brings; the others were not. */
	readonly trusted: boolean;
	/** Programs that it started, by name; `workspace:` stands before those of the tree. */
	readonly runs: readonly string[];
	/** Where it made, changed or took away files: `workspace`, `cache`, `home`, `temp`, … */
	readonly writes: readonly string[];
	/** Where it looked for files outside of the workspace, of its own files and of the system's. */
	readonly reads: readonly string[];
	/** Whom it asked: `repository` for an address that only the tree names, else `network`. */
	readonly fetches: readonly string[];
}

/** The directories that a trace's paths are told by. */
export interface TraceRoots {
	/** The workspace. */
	readonly root: string;
	/** What holds the workspace, and a person's directories. */
	readonly base: string;
	/** Where the servers and what they are made of lie. */
	readonly own: readonly string[];
}

const system = ["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/proc", "/sys", "/dev", "/var", "/opt", "/run"];
const changing = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/;

/** What a trace of `strace -f -y` tells. */
export function summarise(trace: string, roots: TraceRoots): Omit<Recorded, "version" | "trusted"> {
	const [runs, writes, reads, fetches] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
	let started = false;
	for (const { call, args, result } of callsOf(trace)) {
		const failed = result.startsWith("-1");
		if (call === "connect") {
			const to = /sin6?_port=htons\((\d+)\).*?"([^"]+)"/.exec(args);
			// Port 0 is how an address is compared with others; nothing is sent.
			if (to && to[1] !== "0") fetches.add(`${to[2]}:${to[1]}` === hostileAddress ? "repository" : "network");
			continue;
		}
		const path = pathOf(args, result, roots.root);
		if (path === undefined) continue;
		if (call === "execve") {
			if (failed) continue;
			// A shell or an interpreter that is handed a file of the tree runs that file.
			const handed = /evil[\w-]*\.\w+/.exec(args.slice(args.indexOf("[")))?.[0];
			// The first is the server itself.
			if (!started) started = true;
			else if (isBelow(path, roots.root)) runs.add(`workspace:${path.slice(roots.root.length + 1)}`);
			else if (handed !== undefined) runs.add(`workspace:${handed}`);
			else runs.add(path.replace(/.*\//, ""));
			continue;
		}
		const area = areaOf(path, roots);
		if (call !== "openat" && call !== "open" ? true : changing.test(args)) {
			if (!failed && area !== "device") writes.add(area);
		} else if (!["workspace", "own", "system", "device"].includes(area)) reads.add(area);
	}
	const sorted = (set: ReadonlySet<string>) => [...set].sort();
	return { runs: sorted(runs), writes: sorted(writes), reads: sorted(reads), fetches: sorted(fetches) };
}

function isBelow(path: string, directory: string): boolean {
	return path === directory || path.startsWith(`${directory}/`);
}

/** The place of a path, in one word. */
function areaOf(path: string, { root, base, own }: TraceRoots): string {
	if (path.startsWith("/dev/")) return "device";
	if (isBelow(path, root)) return "workspace";
	for (const name of ["home", "cache", "config", "state", "run"]) if (isBelow(path, `${base}/${name}`)) return name;
	if (own.some((directory) => isBelow(path, directory))) return "own";
	// A file beside or above the workspace is looked for by whoever walks up.
	const parent = path.slice(0, path.lastIndexOf("/")) || "/";
	if (parent === "/" || isBelow(root, parent)) return isBelow(path, "/tmp") && parent === "/tmp" ? "temp" : "parents";
	if (isBelow(path, "/tmp")) return "temp";
	return system.some((directory) => isBelow(path, directory)) ? "system" : "elsewhere";
}

/** The file of a call: what the kernel opened, else what was asked for; a server works where it was started, at the root. */
function pathOf(args: string, result: string, root: string): string | undefined {
	const opened = /^\d+<(\/[^>]*)>/.exec(result)?.[1];
	if (opened !== undefined) return opened.replace(/ \(deleted\)$/, "");
	const quoted = /"((?:[^"\\]|\\.)*)"/.exec(args)?.[1];
	if (quoted === undefined || quoted === "") return undefined;
	if (quoted.startsWith("/")) return normalised(quoted);
	return normalised(`${/<(\/[^>]*)>/.exec(args)?.[1] ?? root}/${quoted}`);
}

function normalised(path: string): string {
	const parts: string[] = [];
	for (const part of path.split("/")) {
		if (part === "..") parts.pop();
		else if (part !== "" && part !== ".") parts.push(part);
	}
	return `/${parts.join("/")}`;
}

/** The calls of a trace; one that another thread interrupted is put together again. */
function* callsOf(trace: string): Generator<{ readonly call: string; readonly args: string; readonly result: string }> {
	const begun = new Map<string, string>();
	for (const line of trace.split("\n")) {
		const [, pid, rest] = /^(\d+)\s+(.*)$/.exec(line) ?? [];
		if (pid === undefined || rest === undefined) continue;
		const interrupted = /^(.*) <unfinished \.\.\.>$/.exec(rest)?.[1];
		if (interrupted !== undefined) {
			begun.set(pid, interrupted);
			continue;
		}
		const resumed = /^<\.\.\. \w+ resumed>(.*)$/.exec(rest)?.[1];
		const whole = resumed === undefined ? rest : `${begun.get(pid) ?? ""}${resumed}`;
		const [, call, args = "", result = ""] = /^(\w+)\((.*)\)\s+= (.*)$/.exec(whole) ?? [];
		if (call !== undefined) yield { call, args, result };
	}
}
