import {
	type CheckReport,
	type Diagnostic,
	limitSize,
	mergeReports,
	withSeverity,
} from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import type { CallerParams } from "../../contract/protocol.ts";
import type { CheckContext } from "../../diagnostics/check.ts";
import { EditSession } from "../../diagnostics/edit-session.ts";
import { findAffected } from "../../impact/find-affected.ts";
import { visibleChange } from "../../impact/visible-change.ts";
import { isOurs } from "../../project/root.ts";
import { displayPath } from "../../routing/locate.ts";
import type { LocatedFor } from "../../routing/route-cache.ts";
import { deadline } from "../../util/abort.ts";
import { anySource, readText, withoutMark } from "../../util/read-file.ts";
import type { Change } from "../../writer/change.ts";
import { unprovenReport, withWithheld } from "../check-edit.ts";
import type { CallSource } from "../serve.ts";
import type { Service } from "../service.ts";
import { filesBelow } from "./files-below.ts";

/** Other files than the changed ones that are checked at most, nearest first. */
const maxAffected = 40;
/** Files of one directory that moves that are checked at most. */
const maxMoved = 40;
/** For the search of those, and for all baselines together, in milliseconds. */
const searchMs = 2000;
const baselineMs = 10_000;
/** The session's only tool call. */
const call = "change";

/** Checks the files of one change, and those that may see it, before and after it is written. */
export class ChangeCheck {
	readonly #service: Service;
	readonly #change: Change;
	readonly #params: CallerParams;
	readonly #source: CallSource;
	readonly #session = new EditSession();
	#affected: readonly string[] = [];
	/** How many files that move or may see the change are not checked. */
	#unchecked = 0;
	/** Files that move, their new paths, and the errors that they had. */
	readonly #moved = new Map<string, { readonly to: string; readonly errors: ReadonlySet<string> }>();

	constructor(service: Service, change: Change, params: CallerParams, source: CallSource) {
		this.#service = service;
		this.#change = change;
		this.#params = params;
		this.#source = source;
	}

	/** Proves what is wrong before the change, as far as there is time. */
	async before(): Promise<void> {
		const limit = deadline(baselineMs, () => new LspError("LSP_SERVER_TIMEOUT", "the baseline took too long"));
		try {
			await this.#checkMoved(limit.signal);
			await this.#findAffected();
			const texts = this.#change.files.map(({ path, before, after }) => ({
				path,
				before: textOf(before),
				next: textOf(after),
			}));
			const others = this.#affected.map(async (path) => {
				const before = await readText(path, anySource);
				return { path, before, next: before };
			});
			const all = [...texts, ...(await Promise.all(others))];
			await Promise.all(
				all.map(async ({ path, before, next }) => {
					const { located } = await this.#service.locate(path, this.#params, { mayBeMissing: true });
					await this.#service.checker.baseline(located, before, next, this.#context(limit.signal));
				}),
			);
		} catch {
			// Without a baseline nothing is said to be new or old.
		} finally {
			limit.end();
		}
	}

	async after(): Promise<CheckReport> {
		const moved = [...this.#moved.values()].map(({ to }) => to);
		const written = this.#change.files.filter(({ after }) => after).map(({ path }) => path);
		const edited = [...new Set([...written, ...moved])];
		const reports = await Promise.all([
			...edited.map((path) => this.#check(path, "edited")),
			...this.#affected.map((path) => this.#check(path, "affected")),
		]);
		const merged = mergeReports(reports.flatMap((report) => report ?? []));
		const { omitted } = merged;
		return limitSize({ ...merged, omitted: { ...omitted, files: omitted.files + this.#unchecked } });
	}

	close(): void {
		this.#session.close();
	}

	async #check(path: string, role: "edited" | "affected"): Promise<CheckReport | undefined> {
		let found: LocatedFor;
		try {
			found = await this.#service.locate(path, this.#params);
		} catch (thrown) {
			// Nothing judges a text file, or a directory that has moved.
			return isUnjudged(thrown) ? undefined : unproven(displayPath(path, this.#params.cwd), thrown);
		}
		const { located, settings } = found;
		const isWarm = located.routes.every((route) => this.#service.pool.running(route));
		const budget = isWarm ? settings.warmMs : settings.coldMs;
		const limit = deadline(budget, () => new LspError("LSP_SERVER_TIMEOUT", `not proven within ${budget} ms`));
		try {
			const report = await this.#service.checker.check(located, "file", this.#context(limit.signal));
			const files = report.files.map((file) => ({ ...this.#withKnown(file, path), role }));
			return withWithheld(withSeverity({ ...report, files }, settings.severity), located);
		} catch (thrown) {
			return unproven(located.display, thrown);
		} finally {
			limit.end();
		}
	}

	/** A file has no baseline at its new path: what it had at the old one is not new. */
	async #checkMoved(signal: AbortSignal): Promise<void> {
		const { moves, root } = this.#change;
		for (const { from, to } of moves) {
			const files = await filesBelow(from, root);
			this.#unchecked += Math.max(files.length - maxMoved, 0);
			for (const path of files.slice(0, maxMoved)) {
				const moved = { to: to + path.slice(from.length), errors: new Set<string>() };
				this.#moved.set(path, moved);
				try {
					const { located } = await this.#service.locate(path, this.#params);
					const { files } = await this.#service.checker.check(located, "file", this.#context(signal));
					for (const { diagnostics } of files) for (const each of diagnostics) moved.errors.add(keyOf(each));
				} catch {
					// Then all that is found at the new path counts as new.
				}
			}
		}
	}

	#withKnown(file: CheckReport["files"][number], path: string): CheckReport["files"][number] {
		const moved = [...this.#moved.values()].find(({ to }) => to === path);
		if (!moved) return file;
		const diagnostics = file.diagnostics.map((each) => ({ ...each, new: !moved.errors.has(keyOf(each)) }));
		return { ...file, diagnostics };
	}

	/** Finds the files that may see the change, in the texts of the tree as it still is. */
	async #findAffected(): Promise<void> {
		const { files, root } = this.#change;
		const limit = deadline(searchMs, () => new Error("the search took too long"));
		const own = new Set([...files.map(({ path }) => path), ...this.#moved.keys()]);
		const found = new Set<string>();
		try {
			const changes = await Promise.all(
				files.map(async ({ path, before, after }) => {
					const change = await visibleChange(path, textOf(before), textOf(after));
					return { path, isWhole: !before || !after, ...change };
				}),
			);
			const left = [...this.#moved.keys()].map(async (path) => {
				const change = await visibleChange(path, await readText(path, anySource), undefined);
				return { path, isWhole: true, ...change };
			});
			const seen = [...changes, ...(await Promise.all(left))].filter(({ nothing }) => !nothing);
			if (seen.length === 0) return;
			const servers = this.#service.pool.servers().map((server) => server.root);
			const roots = [...new Set(servers.filter((each) => seen.some(({ path }) => path.startsWith(`${each}/`))))];
			for (const each of roots)
				await findAffected(seen, {
					index: this.#service.indexOf(each),
					signal: limit.signal,
					textOf: (path) => readText(path, anySource),
					found: ({ path }) => {
						if (!own.has(path) && isOurs(path, root)) found.add(path);
					},
				});
		} finally {
			limit.end();
		}
		this.#affected = [...found].slice(0, maxAffected);
		this.#unchecked += found.size - this.#affected.length;
	}

	#context(signal: AbortSignal): CheckContext {
		return { cwd: this.#params.cwd, env: this.#source.env, signal, session: this.#session, call };
	}
}

function keyOf({ code, message }: Diagnostic): string {
	return `${code} ${message}`;
}

function textOf(bytes: Buffer | undefined): string | undefined {
	return bytes && withoutMark(bytes.toString("utf8"));
}

const unjudged = new Set(["LSP_UNSUPPORTED_FILE", "LSP_NOT_A_FILE", "LSP_NO_PROJECT_ROOT"]);

function isUnjudged(thrown: unknown): boolean {
	return thrown instanceof LspError && unjudged.has(thrown.code);
}

function unproven(path: string, thrown: unknown): CheckReport | undefined {
	try {
		return unprovenReport(path, thrown);
	} catch {
		return undefined;
	}
}
