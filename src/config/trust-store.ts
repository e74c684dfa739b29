import { randomBytes } from "node:crypto";
import {
	closeSync,
	constants,
	fstatSync,
	lstatSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { LspError } from "../contract/errors.ts";
import { hashOf } from "../util/hash.ts";
import { ensurePrivateDirectory } from "../util/private-directory.ts";
import { ownDirectory } from "../util/xdg.ts";

export interface Answer {
	readonly root: string;
	/** ISO 8601. */
	readonly at: string;
	/** `never`: until the configuration changes. */
	readonly answer: "yes" | "never";
	readonly hash: string;
	readonly shown: readonly string[];
}

type Env = Readonly<Record<string, string | undefined>>;

const maxBytes = 1024 * 1024;

/** Undefined if invalid or not this user's. */
export function readAnswer(root: string, env?: Env): Answer | undefined {
	const text = readPrivate(answerFile(root, env));
	if (text === undefined) return undefined;
	try {
		const value = JSON.parse(text) as Partial<Answer> | null;
		const { at, answer, hash, shown } = value ?? {};
		if (value?.root !== root || typeof hash !== "string" || typeof at !== "string") return undefined;
		if ((answer !== "yes" && answer !== "never") || !Array.isArray(shown)) return undefined;
		return { root, at, answer, hash, shown: shown.map(String) };
	} catch {
		return undefined;
	}
}

/** Atomically, through no link, for this user only. */
export function writeAnswer(answer: Answer, env?: Env): void {
	const file = answerFile(answer.root, env);
	const draft = `${file}.${randomBytes(6).toString("hex")}`;
	try {
		ensurePrivateDirectory(dirname(file), unusable);
		writeFileSync(draft, `${JSON.stringify(answer, null, "\t")}\n`, { mode: 0o600, flag: "wx" });
		renameSync(draft, file);
	} catch (error) {
		rmSync(draft, { force: true });
		throw error instanceof LspError ? error : unusable(file, (error as Error).message);
	}
}

export function removeAnswer(root: string, env?: Env): boolean {
	const file = answerFile(root, env);
	try {
		ensurePrivateDirectory(dirname(file), unusable);
		rmSync(file);
		return true;
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
		throw error instanceof LspError ? error : unusable(file, (error as Error).message);
	}
}

export function answerFile(root: string, env?: Env): string {
	return join(ownDirectory("XDG_CONFIG_HOME", env), "trust", `${hashOf(root)}.json`);
}

function readPrivate(file: string): string | undefined {
	let descriptor: number | undefined;
	try {
		if (!lstatSync(file, { throwIfNoEntry: false })) return undefined;
		const directory = openSync(dirname(file), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
		try {
			if (!isOurs(directory)) return undefined;
		} finally {
			closeSync(directory);
		}
		descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		const info = fstatSync(descriptor);
		if (!info.isFile() || info.size > maxBytes || !isOurs(descriptor)) return undefined;
		return readFileSync(descriptor, "utf8");
	} catch {
		return undefined;
	} finally {
		if (descriptor !== undefined) closeSync(descriptor);
	}
}

function isOurs(descriptor: number): boolean {
	const { uid, mode } = fstatSync(descriptor);
	return (!process.getuid || uid === process.getuid()) && (process.platform === "win32" || (mode & 0o022) === 0);
}

function unusable(path: string, reason: string): LspError {
	return new LspError("LSP_CONFIG_INVALID", `${path} cannot be used: ${reason}.`, { path });
}
