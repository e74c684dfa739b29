import { hostileAddress } from "./hostile.ts";

/** The actions of a server in a hostile tree. */
export interface Recorded {
	readonly version: string;
	/** True if it was allowed to run programs of the tree. */
	readonly trusted: boolean;
	/** Programs that it started, by name; `workspace:` stands before those of the tree. */
	readonly runs: readonly string[];
	/** The areas in which it created, changed or removed files: `workspace`, `cache`, `home`, `temp`, … */
	readonly writes: readonly string[];
	/** The areas in which it looked for files outside of the workspace, of its own files and of the system's. */
	readonly reads: readonly string[];
	/** The addresses that it contacted: `repository` for an address that only the tree names, else `network`. */
	readonly fetches: readonly string[];
}

/** The directories that the areas of a trace's paths are named after. */
export interface TraceRoots {
	/** The workspace. */
	readonly root: string;
	/** The parent of the workspace and of the user's directories. */
	readonly base: string;
	/** The folders of the servers and their dependencies. */
	readonly own: readonly string[];
}

const system = ["/usr", "/lib", "/lib64", "/bin", "/sbin", "/etc", "/proc", "/sys", "/dev", "/var", "/opt", "/run"];
const changing = /O_WRONLY|O_RDWR|O_CREAT|O_TRUNC/;

/** The summary of a trace of `strace -f -y`. */
export function summarise(trace: string, roots: TraceRoots): Omit<Recorded, "version" | "trusted"> {
	const [runs, writes, reads, fetches] = [new Set<string>(), new Set<string>(), new Set<string>(), new Set<string>()];
	let started = false;
	for (const { call, args, result } of callsOf(trace)) {
		const failed = result.startsWith("-1");
		if (call === "connect") {
			const to = /sin6?_port=htons\((\d+)\).*?"([^"]+)"/.exec(args);
			// A connection to port 0 only compares addresses; nothing is sent.
			if (to && to[1] !== "0") fetches.add(`${to[2]}:${to[1]}` === hostileAddress ? "repository" : "network");
			continue;
		}
		const path = pathOf(args, result, roots.root);
		if (path === undefined) continue;
		if (call === "execve") {
			if (failed) continue;
			// A shell or an interpreter with a file of the tree as its argument runs that file.
			const handed = /evil[\w-]*\.\w+/.exec(args.slice(args.indexOf("[")))?.[0];
			// The first call is the server itself.
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

/** The area of a path, in one word. */
function areaOf(path: string, { root, base, own }: TraceRoots): string {
	if (path.startsWith("/dev/")) return "device";
	if (isBelow(path, root)) return "workspace";
	for (const name of ["home", "cache", "config", "state", "run"]) if (isBelow(path, `${base}/${name}`)) return name;
	if (own.some((directory) => isBelow(path, directory))) return "own";
	// A file next to or above the workspace is read by every program that searches upward.
	const parent = path.slice(0, path.lastIndexOf("/")) || "/";
	if (parent === "/" || isBelow(root, parent)) return isBelow(path, "/tmp") && parent === "/tmp" ? "temp" : "parents";
	if (isBelow(path, "/tmp")) return "temp";
	return system.some((directory) => isBelow(path, directory)) ? "system" : "elsewhere";
}

/**
 * The file of a call: the one that the kernel opened, else the requested one; a server works in its start directory,
 * the root.
 */
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
