import type { BigIntStats } from "node:fs";
import { isSettled, type Listing, stampOfStats } from "../util/files.ts";
import { containsName } from "./markers.ts";

export interface DiskNow {
	/** As `stampOf` does. */
	stamp(path: string): string | undefined;
	real(path: string): string | undefined;
	listing(directory: string): Listing | undefined;
}

interface Listed {
	stamp: string | undefined;
	names?: ReadonlySet<string>;
	readonly contained: Map<string, { readonly wanted: readonly string[]; readonly isThere: boolean }>;
}

/** A result is valid while what it was read from is unchanged. */
export class FileDependencies {
	readonly #stamps = new Map<string, string | undefined>();
	readonly #real = new Map<string, string | undefined>();
	readonly #listings = new Map<string, Listed>();
	readonly #answers: { readonly ask: () => Promise<boolean>; readonly answer: boolean }[] = [];
	#certain = true;

	stats(path: string, info: BigIntStats | undefined): void {
		const stamp = info && stampOfStats(info);
		if (this.#stamps.has(path) && this.#stamps.get(path) !== stamp) this.#certain = false;
		if (info && !isSettled(info)) this.#certain = false;
		this.#stamps.set(path, stamp);
	}

	real(path: string, real: string | undefined): void {
		this.#real.set(path, real);
	}

	names(directory: string, listing: Listing): void {
		this.#listed(directory, listing).names = listing.names;
	}

	contains(directory: string, listing: Listing, wanted: readonly string[]): boolean {
		const isThere = containsAny(listing, wanted);
		this.#listed(directory, listing).contained.set(wanted.join("/"), { wanted, isThere });
		return isThere;
	}

	#listed(directory: string, { stamp }: Listing): Listed {
		const listed = this.#listings.get(directory) ?? { stamp, contained: new Map() };
		this.#listings.set(directory, listed);
		return listed;
	}

	answer(ask: () => Promise<boolean>, answer: boolean): void {
		this.#answers.push({ ask, answer });
	}

	async isSame(now: DiskNow): Promise<boolean> {
		if (!this.#certain) return false;
		for (const [path, real] of this.#real) if (now.real(path) !== real) return false;
		for (const [path, stamp] of this.#stamps) if (now.stamp(path) !== stamp) return false;
		for (const [directory, listed] of this.#listings) {
			if (listed.stamp !== undefined && now.stamp(directory) === listed.stamp) continue;
			const listing = now.listing(directory);
			if (!listing || !isSameListing(listed, listing)) return false;
			listed.stamp = listing.stamp;
		}
		for (const { ask, answer } of this.#answers) if ((await ask()) !== answer) return false;
		return true;
	}
}

function isSameListing({ names, contained }: Listed, now: Listing): boolean {
	const isSame =
		!names || names === now.names || (names.size === now.names.size && [...names].every((name) => now.names.has(name)));
	return isSame && [...contained.values()].every(({ wanted, isThere }) => containsAny(now, wanted) === isThere);
}

function containsAny({ names }: Listing, wanted: readonly string[]): boolean {
	return wanted.some((name) => containsName(names, name));
}
