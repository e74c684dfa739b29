import { statSync } from "node:fs";
import { trustSuggestion } from "../config/trust.ts";
import { aboutServer } from "../contract/error-details.ts";
import { LspError } from "../contract/errors.ts";
import { pathsUpward } from "../project/markers.ts";
import type { Route } from "../routing/locate.ts";
import { stampNow, stampOfStats, statOf } from "../util/files.ts";
import { mayLockElsewhere } from "./cargo-lock.ts";
import { compileDatabasePaths } from "./compile-database.ts";
import { goesThroughLink } from "./links.ts";

/** Trust, or no forbidden files and links, and unchanged compile databases. */
export class StartConditions {
	readonly #route: Route;
	readonly #forbidden: readonly string[];
	readonly #databaseStamps: ReadonlyMap<string, string | undefined>;

	constructor(route: Route) {
		const { unless = [], compileDatabase } = route.trusted ? {} : (route.config.restricted ?? {});
		this.#route = route;
		this.#forbidden = pathsUpward(route.root, unless);
		const databases = compileDatabase === undefined ? [] : compileDatabasePaths(route.root);
		this.#databaseStamps = new Map(databases.map((path) => [path, stampHere(path)]));
	}

	/** Rejects with LSP_SERVER_UNTRUSTED. */
	async check(): Promise<void> {
		const { config, trusted, stillTrusted } = this.#route;
		const details = { ...aboutServer(config), suggestion: trustSuggestion };
		if (trusted && stillTrusted && !(await stillTrusted())) {
			const message = `${config.id} is not started: what it was trusted for has changed.`;
			throw new LspError("LSP_SERVER_UNTRUSTED", message, details);
		}
		if ((await Promise.all(this.#forbidden.map(statOf))).some(Boolean)) {
			const message = `${config.id} runs what the repository brings, and that is not trusted.`;
			throw new LspError("LSP_SERVER_UNTRUSTED", message, details);
		}
		const link = this.#writtenLink();
		if (link !== undefined) {
			const message = `${config.id} may write where the repository's ${link} leads, and that is not trusted.`;
			throw new LspError("LSP_SERVER_UNTRUSTED", message, details);
		}
	}

	#writtenLink(): string | undefined {
		const { config, trusted, root } = this.#route;
		const { writesCargoLock = false, writesTo } = trusted ? {} : (config.restricted ?? {});
		if (writesCargoLock && mayLockElsewhere(root)) return "Cargo.lock";
		return writesTo !== undefined && goesThroughLink(root, writesTo) ? writesTo : undefined;
	}

	isCurrent(): boolean {
		return (
			this.#writtenLink() === undefined &&
			!this.#forbidden.some((path) => isThere(stampHere(path))) &&
			[...this.#databaseStamps].every(([path, stamp]) => stampHere(path) === stamp)
		);
	}
}

/** "unknown" on a Linux file system that may hang. */
function stampHere(path: string): string | undefined {
	if (process.platform === "linux") return stampNow(path);
	const info = statSync(path, { bigint: true, throwIfNoEntry: false });
	return info && stampOfStats(info);
}

function isThere(stamp: string | undefined): boolean {
	return stamp !== undefined && stamp !== "unknown";
}
