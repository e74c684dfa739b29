/** A guard, and what takes it out. */
export interface Sabotage {
	readonly name: string;
	readonly row: string;
	readonly file: string;
	readonly from: string;
	readonly to: string;
	/** A second guard of the same file that would catch it as well. */
	readonly also?: { readonly from: string; readonly to: string };
}

export const sabotages: readonly Sabotage[] = [
	{
		name: "life lock is taken by everybody",
		row: "A1",
		file: "src/daemon/lock.ts",
		from: "if (isAlive(holder)) return undefined;",
		to: "",
	},
	{
		name: "the socket's inode is not compared",
		row: "A7",
		file: "src/daemon/main.ts",
		from: "if (!listener.ownsSocket() || !life.isOurs())",
		to: "if (process.pid < 0)",
	},
	{
		name: "the directory is not looked at again after the bind",
		row: "G1",
		file: "src/daemon/listener.ts",
		from: "if (!isSameDirectory(directory, identity)) {",
		to: "if (process.pid < 0) {",
	},
	{
		name: "a start time is not part of a lock's name",
		row: "A10",
		file: "src/util/identity.ts",
		from: "if (now !== unknownStart) return now === start;",
		to: "if (now !== unknownStart) return now !== '';",
	},
	{
		name: "long socket paths are not checked",
		row: "A11",
		file: "src/daemon/address.ts",
		from: "<= maxSocketBytes;",
		to: "<= 4096;",
	},
	{
		name: "lines are decoded packet by packet",
		row: "B3",
		file: "src/rpc/ndjson.ts",
		from: "this.#chunks.push(rest);",
		to: 'this.#chunks.push(Buffer.from(rest.toString("utf8")));',
	},
	{
		name: "stray lines poison the reader",
		row: "D1",
		file: "src/rpc/content-length.ts",
		from: "const match = headerName.exec(text);",
		to: 'const match = headerName.exec(text);\n\t\tif (match && match.index > 0) throw new FrameError("stray");',
	},
	{
		name: "lengths are not checked",
		row: "D2",
		file: "src/rpc/content-length.ts",
		from: "if (!(length <= maxBodyBytes))",
		to: "if (length > 1e300)",
	},
	{
		name: "a handler that throws is an error reply",
		row: "D7",
		file: "src/lsp/answers.ts",
		from: "// A throw here would become an error reply, and that kills servers.\n\t\treturn null;",
		to: 'throw new Error("sabotage");',
	},
	{
		name: "silence is clean",
		row: "D12",
		file: "src/diagnostics/push.ts",
		from: "await waitOrAbort(pushes.next(Math.ceil(quiet)), signal);",
		to: "await waitOrAbort(pushes.next(Math.ceil(quiet)), signal);\n\t\tif (!push || !answers(push)) return [];",
	},
	{
		name: "a server inherits the whole environment",
		row: "G9",
		file: "src/lsp/environment.ts",
		from: "if (value === undefined || secret.test(name)) continue;",
		to: "if (value !== undefined) kept[name] = value;\n\t\tif (value === undefined) continue;",
	},
	{
		name: "the leader is killed, not its group",
		row: "C12",
		file: "src/lsp/process.ts",
		from: "process.kill(-this.#child.pid, signal);",
		to: "process.kill(this.#child.pid, signal);",
	},
	{
		name: "the false daemon's proof is believed",
		row: "G4",
		file: "src/daemon/connect.ts",
		from: "if (hello.proof === proofOf(readCookie(address.cookie), nonce))",
		to: "if (hello.proof !== undefined)",
	},
	{
		name: "the directory's owner and mode are not looked at",
		row: "G1",
		file: "src/util/private-directory.ts",
		from: "if (info.mode & 0o077) chmodSync(directory, 0o700);",
		to: "",
	},
	{
		name: "the end removes whatever socket is there",
		row: "A3",
		file: "src/daemon/main.ts",
		from: "await engine?.hub.close();",
		to: 'await engine?.hub.close();\n\t\t\t(await import("node:fs")).rmSync(address.socket, { force: true });',
	},
	{
		name: "callers that say nothing are kept",
		row: "B6",
		file: "src/daemon/engine.ts",
		from: "setTimeout(() => socket.destroy(), silentMs)",
		to: "setTimeout(() => {}, silentMs)",
	},
	{
		name: "a peer that reads nothing is written to without end",
		row: "B5",
		file: "src/rpc/byte-stream.ts",
		from: "const maxQueuedBytes = 16 * 1024 * 1024;",
		to: "const maxQueuedBytes = Number.POSITIVE_INFINITY;",
	},
	{
		name: "a poisonous file is asked about again and again",
		row: "C6",
		file: "src/workspace/suspects.ts",
		from: "if (!suspect || suspect.crashes < mostCrashes) return;",
		to: "if (Date.now() > 0) return;",
		also: { from: "return crashes >= mostCrashes;", to: "return false;" },
	},
	{
		name: "nobody sweeps up after a daemon that was killed",
		row: "C13",
		file: "src/daemon/engine.ts",
		from: "const orphans = sweepOrphans();",
		to: "const orphans = Number(sweepOrphans.name) || 0;",
	},
	{
		name: "a file with its old time and size is not read again",
		row: "E5",
		file: "src/util/files.ts",
		from: 'return withoutMark(readFileSync(path, "utf8"));',
		to: `const { size, mtimeMs } = statSync(path);
		const kept = ((globalThis as { kept?: Map<string, string> }).kept ??= new Map());
		const key = path + size + mtimeMs;
		if (!kept.has(key)) kept.set(key, withoutMark(readFileSync(path, "utf8")));
		return kept.get(key);`,
	},
	{
		name: "the directory is as open as the umask says",
		row: "G3",
		file: "src/util/private-directory.ts",
		from: "mkdirSync(directory, { mode: 0o700 });",
		to: "mkdirSync(directory, { mode: 0o777 });",
		also: { from: "if (info.mode & 0o077) chmodSync(directory, 0o700);", to: "" },
	},
	{
		name: "programs of the workspace count",
		row: "G7",
		file: "src/workspace/programs.ts",
		from: "return entries.filter((entry, index) => !isInside(entry, workspace) && !isInside(reals[index] ?? entry, workspace));",
		to: "return reals.length ? entries : [];",
		also: {
			from: "if (!real || (workspace !== undefined && isInside(real, workspace))) continue;",
			to: "if (!real) continue;",
		},
	},
];
