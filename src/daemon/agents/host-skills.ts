import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { HostCallsParams, HostCallsResult, HostVerdict, ReportedCall } from "../../contract/host-call.ts";
import { ancestorsOf } from "../../process/ancestors.ts";
import { LruMap } from "../../util/lru-map.ts";

const verdictMs = 1000;
/** A face asks again at once; one that is gone binds nothing. */
const absentMs = 2000;
const maxWaitMs = 60_000;
const maxFollowers = 100;
const launchers = /^(?:sh|bash|dash|zsh|fish|env|npm|npx|pnpm|yarn|bun|bunx|uv|uvx)\b/;

interface Follower {
	readonly host: Promise<number | undefined>;
	readonly waiting: ReportedCall[];
	readonly verdicts: Map<string, (verdict: HostVerdict | undefined) => void>;
	wake: () => void;
	gone: NodeJS.Timeout | undefined;
}

/** Hooks are other processes of the same agent as the MCP server with the skill, known by their ancestors. */
export class HostSkills {
	readonly #followers = new LruMap<Follower>(maxFollowers);
	/** Hooks that are only for skills need this file (faces/agents/host.ts). */
	readonly #marker: string;
	#asked = 0;

	constructor(marker: string) {
		this.#marker = marker;
	}

	/** Empty after `wait` ms without calls. */
	async follow({ pid, wait, verdicts }: HostCallsParams, signal: AbortSignal): Promise<HostCallsResult> {
		const key = String(pid);
		const follower = this.#followers.get(key) ?? newFollower(pid);
		this.#followers.set(key, follower);
		this.#mark();
		clearTimeout(follower.gone);
		for (const verdict of verdicts) follower.verdicts.get(verdict.id)?.(verdict);
		if (follower.waiting.length === 0) await nextCall(follower, Math.min(wait, maxWaitMs), signal);
		if (signal.aborted) this.#end(key, follower);
		else follower.gone = setTimeout(() => this.#end(key, follower), absentMs).unref();
		return { calls: follower.waiting.splice(0) };
	}

	/** `pid`: the hook's process. Undefined if its agent has no active skill. */
	async ask(pid: number, call: Omit<ReportedCall, "id">): Promise<HostVerdict | undefined> {
		const followers = [...this.#followers.values()];
		if (followers.length === 0) {
			rmSync(this.#marker, { force: true });
			return undefined;
		}
		const own = new Set((await ancestorsOf(pid)).map((ancestor) => ancestor.pid));
		for (const follower of followers) {
			const host = await follower.host;
			if (host !== undefined && own.has(host)) return this.#verdict(follower, call);
		}
		return undefined;
	}

	#verdict(follower: Follower, call: Omit<ReportedCall, "id">): Promise<HostVerdict | undefined> {
		const id = String(++this.#asked);
		return new Promise((resolve) => {
			const done = (verdict: HostVerdict | undefined) => {
				clearTimeout(timer);
				follower.verdicts.delete(id);
				resolve(verdict);
			};
			const timer = setTimeout(() => done(undefined), verdictMs);
			follower.verdicts.set(id, done);
			follower.waiting.push({ ...call, id });
			follower.wake();
		});
	}

	#end(key: string, follower: Follower): void {
		if (this.#followers.get(key) === follower) this.#followers.delete(key);
		for (const answer of [...follower.verdicts.values()]) answer(undefined);
		if (this.#followers.size === 0) rmSync(this.#marker, { force: true });
	}

	#mark(): void {
		try {
			mkdirSync(dirname(this.#marker), { recursive: true, mode: 0o700 });
			writeFileSync(this.#marker, "");
		} catch {}
	}
}

function newFollower(pid: number): Follower {
	const host = ancestorsOf(pid).then((ancestors) => ancestors.find(({ name }) => !launchers.test(name))?.pid);
	return { host: host.catch(() => undefined), waiting: [], verdicts: new Map(), wake() {}, gone: undefined };
}

function nextCall(follower: Follower, ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		const done = () => {
			clearTimeout(timer);
			signal.removeEventListener("abort", done);
			follower.wake = () => {};
			resolve();
		};
		const timer = setTimeout(done, ms);
		timer.unref();
		follower.wake = done;
		signal.addEventListener("abort", done);
	});
}
