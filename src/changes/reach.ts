import type { FileQuery } from "../query/file-query.ts";
import type { DeclaredSymbol } from "./declared-symbols.ts";
import type { FileOutlines } from "./file-outlines.ts";
import { type TypeSpot, usersOfTypes } from "./type-users.ts";
import { implementersOf, ownerOf, type User, usersOf, usersOfReached } from "./users.ts";

export interface Reach {
	readonly users: readonly User[];
	/** Undefined if the server cannot tell. */
	readonly implementers: readonly User[] | undefined;
	readonly further: readonly User[];
	readonly files: readonly ReachedFile[];
	readonly unfollowed: number;
}

interface ReachedFile {
	readonly path: string;
	readonly how: string;
}

export interface ReachOptions {
	/** 1 means the direct users alone. */
	readonly depth: number;
	/** Code that does not name the symbol can depend on it, unlike a change of its body. */
	readonly isSeen: boolean;
	readonly outlines: FileOutlines;
	readonly before?: OldReach | undefined;
}

export interface OldReach {
	readonly users: readonly User[];
	readonly implementers: readonly User[];
}

const maxFollowed = 100;
const askedAtOnce = 8;

export async function reachOf(asked: FileQuery, symbol: DeclaredSymbol, options: ReachOptions): Promise<Reach> {
	const { outlines, depth, isSeen, before } = options;
	const [now, implementing] = await Promise.all([
		usersOf(asked, symbol, outlines),
		implementersOf(asked, symbol, outlines),
	]);
	const users = joined(now, before?.users ?? []);
	const implementers = implementing && joined(implementing, before?.implementers ?? []);
	const { further, unfollowed } = await follow(asked, users, { depth, outlines });
	const known = new Set([...users, ...(implementers ?? [])].map(({ path }) => path));
	known.add(asked.displayPath(asked.document.path));
	const files: ReachedFile[] = [];
	const add = (path: string, how: string) => {
		if (!known.has(path)) files.push({ path, how });
		known.add(path);
	};
	if (isSeen) {
		const types = await typesOf(asked, symbol, implementers ?? [], outlines);
		for (const { path, name } of await usersOfTypes(asked, types, outlines)) add(path, `uses ${name}`);
	}
	for (const { path, through } of further) add(path, `through ${through}`);
	return { users, implementers, further, files, unfollowed };
}

/** A type that stops implementing an interface breaks code that uses it as one, and so do types that extend it. */
async function typesOf(
	asked: FileQuery,
	symbol: DeclaredSymbol,
	implementers: readonly User[],
	outlines: FileOutlines,
): Promise<TypeSpot[]> {
	const found: TypeSpot[] = [];
	const own = await ownerOf(asked, symbol, outlines);
	if (own)
		found.push({ path: asked.displayPath(asked.document.path), name: symbol.path.split(".").at(-2) ?? "", at: own });
	for (const { path, symbol: member } of implementers) {
		if (member === undefined) continue;
		const name = member.split(".").slice(0, -1).join(".") || member;
		const spots = (await outlines.of(asked, path))?.declared;
		const declared = spots?.get(name) ?? spots?.get(member);
		if (!declared) continue;
		const at =
			declared.path === name ? declared.at : await asked.inFile(path, (other) => ownerOf(other, declared, outlines));
		if (at) found.push({ path, name, at });
	}
	return found;
}

interface Followed extends User {
	readonly through: string;
}

/** Breadth-first; ends at tests, which have no callers. */
async function follow(
	asked: FileQuery,
	users: readonly User[],
	{ depth, outlines }: Pick<ReachOptions, "depth" | "outlines">,
): Promise<{ readonly further: readonly Followed[]; readonly unfollowed: number }> {
	const seen = new Set(users.map(userKey));
	const further: Followed[] = [];
	let [frontier, left, unfollowed] = [users, maxFollowed, 0];
	for (let level = 2; level <= depth && frontier.length > 0; level++) {
		const next: User[] = [];
		const followed = frontier.filter(({ symbol, testCase }) => symbol !== undefined && testCase === undefined);
		unfollowed += Math.max(followed.length - left, 0);
		const wave = followed.slice(0, left);
		left -= wave.length;
		for (let at = 0; at < wave.length; at += askedAtOnce) {
			const some = wave.slice(at, at + askedAtOnce);
			const found = await Promise.all(some.map((user) => usersOfUser(asked, user, outlines)));
			for (const [index, own] of found.entries())
				for (const user of own) {
					const key = userKey(user);
					if (seen.has(key)) continue;
					seen.add(key);
					next.push(user);
					further.push({ ...user, through: some[index]?.symbol ?? "" });
				}
		}
		frontier = next;
	}
	return { further, unfollowed };
}

async function usersOfUser(asked: FileQuery, { path, symbol = "" }: User, outlines: FileOutlines): Promise<User[]> {
	const declared = (await outlines.of(asked, path))?.declared.get(symbol);
	return declared ? usersOfReached(asked, path, declared, outlines) : [];
}

function userKey({ path, symbol, testCase }: User): string {
	return `${path}#${testCase ?? symbol ?? ""}`;
}

function joined(users: readonly User[], more: readonly User[]): User[] {
	const known = new Set(users.map(userKey));
	return [...users, ...more.filter((user) => !known.has(userKey(user)))];
}
