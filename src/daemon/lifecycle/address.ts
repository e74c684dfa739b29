import { createHmac, randomBytes } from "node:crypto";
import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	linkSync,
	openSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { fileURLToPath } from "node:url";
import { LspError } from "../../contract/errors.ts";
import { protocolVersion } from "../../contract/protocol.ts";
import { buildId } from "../../util/code-cache.ts";
import { hashOf } from "../../util/hash.ts";
import { ensurePrivateDirectory } from "../../util/private-directory.ts";
import { ownDirectory } from "../../util/xdg.ts";

/** Of sun_path, with 104 bytes on macOS (docs/facts.md, 2). */
const maxSocketBytes = 103;

export interface Address {
	readonly directory: string;
	readonly identity: string;
	readonly socket: string;
	readonly startLock: string;
	readonly lifeLock: string;
	readonly cookie: string;
	readonly ended: string;
	readonly log: string;
	readonly build: string;
	readonly program: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/** Checks the private directory; throws LSP_DAEMON_REFUSED. Names depend on the build. */
export function addressOf(env: Env = process.env): Address {
	const program = daemonProgram();
	const build = buildId(dirname(program));
	const uid = process.getuid?.() ?? 0;
	const base = env.XDG_RUNTIME_DIR;
	const preferred = base && isAbsolute(base) && existsSync(base) ? join(base, "pi-lsp") : undefined;
	const short = `/tmp/pi-lsp-${uid}`;
	// As long as ".<pid>.sock", which the daemon binds.
	const fits = preferred && Buffer.byteLength(join(preferred, "d-00000000.sock~")) <= maxSocketBytes;
	const directory = fits ? preferred : short;
	let identity: string;
	try {
		identity = ensurePrivateDirectory(directory, refused);
	} catch (error) {
		throw asRefused(directory, error);
	}
	const name = `d-${hashOf(JSON.stringify([protocolVersion, build, fits ? "" : (base ?? "")]), 8)}`;
	return {
		directory,
		identity,
		socket: join(directory, `${name}.sock`),
		startLock: join(directory, `${name}.start`),
		lifeLock: join(directory, `${name}.life`),
		cookie: join(directory, "cookie"),
		ended: join(directory, `${name}.ended`),
		log: logPath(env),
		build,
		program,
	};
}

export function proofOf(cookie: string, nonce: string): string {
	return createHmac("sha256", cookie).update(nonce).digest("hex");
}

const maxCookieBytes = 1024;

/** Creates a missing one. Throws LSP_DAEMON_REFUSED if others may know it. */
export function readCookie(path: string): string {
	for (let attempt = 0; attempt < 2; attempt++) {
		try {
			const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
			try {
				const info = fstatSync(descriptor);
				if (!info.isFile()) throw refused(path, "it is not a plain file");
				const remove = `Remove ${path}; another one is made.`;
				if (process.getuid && info.uid !== process.getuid()) throw refused(path, "another user owns it", remove);
				if (process.getuid && info.mode & 0o077) throw refused(path, "others than you may read or write it", remove);
				if (info.size > maxCookieBytes) throw refused(path, "it is too large", remove);
				return readFileSync(descriptor, "utf8");
			} finally {
				closeSync(descriptor);
			}
		} catch (error) {
			if (error instanceof LspError) throw error;
			if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw refused(path, (error as Error).message);
		}
		const draft = `${path}.${process.pid}`;
		writeFileSync(draft, randomBytes(32).toString("hex"), { mode: 0o600 });
		try {
			linkSync(draft, path);
		} catch {}
		rmSync(draft, { force: true });
	}
	throw refused(path, "it cannot be made");
}

export function logPath(env: Env = process.env): string {
	return join(ownDirectory("XDG_STATE_HOME", env), "daemon.log");
}

/** Throws LSP_DAEMON_REFUSED if it is no regular file. */
export function openLog(path: string): number {
	ensurePrivateDirectory(dirname(path), refused);
	const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants;
	// A FIFO would wait for a reader without O_NONBLOCK.
	const descriptor = openSync(path, O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_WRONLY, 0o600);
	if (fstatSync(descriptor).isFile()) return descriptor;
	closeSync(descriptor);
	throw refused(path, "it is not a plain file");
}

export function refused(path: string, reason: string, suggestion?: string): LspError {
	const details = { path, ...(suggestion === undefined ? {} : { suggestion }) };
	return new LspError("LSP_DAEMON_REFUSED", `${path} cannot be used: ${reason}.`, details);
}

/** Only system errors become LSP_DAEMON_REFUSED. */
export function asRefused(directory: string, error: unknown): unknown {
	const { code, syscall, message } = error as NodeJS.ErrnoException;
	if (error instanceof LspError || syscall === undefined) return error;
	if (code !== "ENOSPC" && code !== "EDQUOT") return refused(directory, message);
	const suggestion = "Make room there, or set XDG_RUNTIME_DIR to another directory. {{--no-daemon}} needs none.";
	return refused(directory, `no space is left on its file system (${code})`, suggestion);
}

function daemonProgram(): string {
	const here = dirname(fileURLToPath(import.meta.url));
	for (let directory = here; directory !== dirname(directory); directory = dirname(directory)) {
		const program = join(directory, "dist", "daemon.cjs");
		if (existsSync(program)) return program;
	}
	throw new LspError("LSP_DAEMON_START_FAILED", "dist/daemon.cjs is missing.", {
		suggestion: "Run `npm install` in pi-lsp's directory: it builds the daemon.",
	});
}
