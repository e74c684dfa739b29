import {
	type CheckReport,
	countBySeverity,
	type Diagnostic,
	limitSize,
	mergeReports,
	withSeverity,
} from "../../contract/check-report.ts";
import { LspError } from "../../contract/errors.ts";
import type { CallerParams } from "../../contract/protocol.ts";
import type { CheckContext } from "../../diagnostics/check.ts";
import { EditSession } from "../../diagnostics/edit-session.ts";
import { displayPath } from "../../routing/locate.ts";
import type { LocatedFor } from "../../routing/route-cache.ts";
import { deadline } from "../../util/abort.ts";
import { attempt } from "../../util/attempt.ts";
import { anySource, readText } from "../../util/read-file.ts";
import type { Change } from "../../writer/change.ts";
import { unprovenReport, withWithheld } from "../check-edit.ts";
import type { CallSource } from "../serve.ts";
import type { Service } from "../service.ts";
import { affectedByChange, textOf } from "./affected-by-change.ts";
import { filesBelow } from "./files-below.ts";

const maxAffected = 40;
/** More would delay all callers. */
const maxEdited = 500;
const maxMoved = 40;
const searchMs = 2000;
const baselineMs = 10_000;
const call = "change";

export class ChangeCheck {
	readonly #service: Service;
	readonly #change: Change;
	readonly #params: CallerParams;
	readonly #source: CallSource;
	readonly #session = new EditSession();
	/** Of all checked files, at any severity. */
	readonly totals: { errors: number; warnings: number; warnings_before?: number } = { errors: 0, warnings: 0 };
	#affected: readonly string[] = [];
	#unchecked: number;
	#isSearched = false;
	readonly #located = new Map<string, Promise<LocatedFor>>();
	/** By old path. */
	readonly #moved = new Map<string, { readonly to: string; readonly errors: ReadonlySet<string> }>();

	constructor(service: Service, change: Change, params: CallerParams, source: CallSource) {
		this.#service = service;
		this.#change = { ...change, files: change.files.slice(0, maxEdited) };
		this.#unchecked = change.files.length - this.#change.files.length;
		this.#params = params;
		this.#source = source;
	}

	async areServersRunning(): Promise<boolean> {
		const located = await Promise.allSettled(this.#change.files.map(({ path }) => this.#locate(path)));
		const routes = located.flatMap((each) => (each.status === "fulfilled" ? each.value.located.routes : []));
		return routes.every((route) => this.#service.pool.running(route));
	}

	/** Never rejects. */
	async before(): Promise<void> {
		const limit = deadline(baselineMs, () => new LspError("LSP_SERVER_TIMEOUT", "the baseline took too long"));
		try {
			await this.#checkMoved(limit.signal);
			const others = async () => {
				await this.#findAffected();
				const proofs = this.#affected.map(async (path) =>
					this.#baseline(path, await readText(path, anySource), limit.signal),
				);
				return Promise.all(proofs);
			};
			const edited = this.#change.files.map(({ path, before }) => this.#baseline(path, textOf(before), limit.signal));
			const [rest, ...own] = await Promise.all([others().catch(() => [undefined]), ...edited]);
			const found = [...own, ...rest];
			const known = found.flatMap((each) => each ?? []);
			if (this.#moved.size === 0 && this.#unchecked === 0 && this.#isSearched && found.every(Boolean))
				this.totals.warnings_before = known.filter(({ severity }) => severity === "warning").length;
		} catch {
			// Without a baseline nothing is new or old.
		} finally {
			limit.end();
		}
	}

	async #baseline(path: string, text: string | undefined, signal: AbortSignal) {
		try {
			const { located } = await this.#locate(path);
			return await this.#service.checker.baseline(located, text, undefined, this.#context(signal));
		} catch {
			return undefined;
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
		const unsearched = this.#isSearched ? {} : { unsearched: true };
		return limitSize({ ...merged, omitted: { ...omitted, files: omitted.files + this.#unchecked, ...unsearched } });
	}

	close(): void {
		this.#session.close();
	}

	async #check(path: string, role: "edited" | "affected"): Promise<CheckReport | undefined> {
		let found: LocatedFor;
		try {
			found = await this.#service.locate(path, this.#params);
		} catch (thrown) {
			return isUnjudged(thrown) ? undefined : unproven(displayPath(path, this.#params.cwd), thrown);
		}
		const { located, settings } = found;
		const isWarm = located.routes.every((route) => this.#service.pool.isWarm(route));
		const budget = isWarm ? settings.warmMs : settings.coldMs;
		const limit = deadline(budget, () => new LspError("LSP_SERVER_TIMEOUT", `not proven within ${budget} ms`));
		try {
			const report = await this.#service.checker.check(located, "file", this.#context(limit.signal));
			const files = report.files.map((file) => ({ ...this.#withKnown(file, path), role }));
			const { errors, warnings } = countBySeverity({ ...report, files });
			this.totals.errors += errors;
			this.totals.warnings += warnings;
			return withWithheld(withSeverity({ ...report, files }, settings.severity), located);
		} catch (thrown) {
			return unproven(located.display, thrown);
		} finally {
			limit.end();
		}
	}

	/** Without a baseline at the new path, old errors are not new. */
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
					for (const { diagnostics } of files) for (const each of diagnostics) moved.errors.add(errorKey(each));
				} catch {
					// Without old errors all findings count as new.
				}
			}
		}
	}

	#withKnown(file: CheckReport["files"][number], path: string): CheckReport["files"][number] {
		const moved = [...this.#moved.values()].find(({ to }) => to === path);
		if (!moved) return file;
		const diagnostics = file.diagnostics.map((each) => ({ ...each, new: !moved.errors.has(errorKey(each)) }));
		return { ...file, diagnostics };
	}

	async #findAffected(): Promise<void> {
		const limit = deadline(searchMs, () => new Error("the search took too long"));
		try {
			const left = [...this.#moved.keys()];
			const search = { roots: await this.#roots(left), left, signal: limit.signal };
			const { paths, isAll } = await affectedByChange(this.#service, this.#change, search);
			this.#affected = paths.slice(0, maxAffected);
			this.#unchecked += paths.length - this.#affected.length;
			this.#isSearched = isAll;
		} finally {
			limit.end();
		}
	}

	#locate(path: string): Promise<LocatedFor> {
		const known = this.#located.get(path) ?? this.#service.locate(path, this.#params, { mayBeMissing: true });
		this.#located.set(path, known);
		return known;
	}

	async #roots(left: readonly string[]): Promise<string[]> {
		const paths = [...this.#change.files.map(({ path }) => path), ...left];
		const located = paths.map((path) =>
			this.#locate(path).then(
				(found) => found.located.routes.map(({ root }) => root),
				() => [],
			),
		);
		return [...this.#service.pool.servers().map(({ root }) => root), ...(await Promise.all(located)).flat()];
	}

	#context(signal: AbortSignal): CheckContext {
		return { cwd: this.#params.cwd, env: this.#source.env, signal, session: this.#session, call };
	}
}

function errorKey({ code, message }: Diagnostic): string {
	return `${code} ${message}`;
}

const unjudged = new Set(["LSP_UNSUPPORTED_FILE", "LSP_NOT_A_FILE", "LSP_NO_PROJECT_ROOT"]);

function isUnjudged(thrown: unknown): boolean {
	return thrown instanceof LspError && unjudged.has(thrown.code);
}

function unproven(path: string, thrown: unknown): CheckReport | undefined {
	return attempt(() => unprovenReport(path, thrown));
}
