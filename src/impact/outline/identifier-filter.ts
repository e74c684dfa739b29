/** One false positive in 120. */
const bitsEach = 10;
const probes = 7;

const letter = 1;
const digit = 2;
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
	const char = String.fromCharCode(code);
	if (/[A-Za-z_$]/.test(char)) return letter;
	return /\d/.test(char) ? digit : 0;
});
const otherLetter = /\p{L}/u;
const otherDigit = /\p{N}/u;
const lastIdentifier = /([\p{L}_$][\p{L}\p{N}_$]*)[^\p{L}_$]*$/u;
const dollar = 0x24;
const seed = 0x811c9dc5;
const prime = 0x01000193;

function hashOfName(name: string): number {
	let hash = seed;
	for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), prime);
	return hash >>> 0;
}

/** `bare`: the hash without a leading `$` (PHP, shells, Svelte). */
function scan(
	text: string,
	from: number,
	to: number,
	visit: (start: number, end: number, hash: number, bare: number) => void,
): void {
	let start = -1;
	let hash = seed;
	let bare = seed;
	for (let at = from; at < to; at++) {
		const code = text.charCodeAt(at);
		const kind = code < 128 ? kinds[code] : kindOf(text, at);
		if (start < 0) {
			if (kind !== letter) continue;
			start = at;
			hash = seed;
			bare = seed;
		} else if (kind === 0) {
			visit(start, at, hash, text.charCodeAt(start) === dollar && at > start + 1 ? bare : hash);
			start = -1;
			continue;
		}
		hash = Math.imul(hash ^ code, prime);
		if (at > start) bare = Math.imul(bare ^ code, prime);
	}
	if (start >= 0) visit(start, to, hash, text.charCodeAt(start) === dollar && to > start + 1 ? bare : hash);
}

function kindOf(text: string, at: number): number {
	const code = text.charCodeAt(at);
	const isSecond = code >= 0xdc00 && code < 0xe000 && at > 0;
	const char = String.fromCodePoint(text.codePointAt(isSecond ? at - 1 : at) ?? code);
	if (otherLetter.test(char)) return letter;
	return otherDigit.test(char) ? digit : 0;
}

export class IdentifierScan {
	/** The hash 0 is stored as 1. */
	#table = new Uint32Array(1024);
	#size = 0;

	read(text: string, from: number, most: number): number {
		let to = Math.min(text.length, from + most);
		while (to < text.length && (kinds[text.charCodeAt(to)] ?? letter) !== 0) to++;
		scan(text, from, to, (_start, _end, hash, bare) => {
			this.#add(hash >>> 0);
			if (bare !== hash) this.#add(bare >>> 0);
		});
		return to;
	}

	filter(): Uint8Array {
		const filter = new Uint8Array(Math.max(1, Math.ceil((this.#size * bitsEach) / 8)));
		const bits = filter.length * 8;
		for (const hash of this.#table) {
			if (hash === 0) continue;
			const step = stepOf(hash);
			for (let probe = 0, at = hash; probe < probes; probe++, at = (at + step) >>> 0) {
				const bit = at % bits;
				filter[bit >> 3] = (filter[bit >> 3] ?? 0) | (1 << (bit & 7));
			}
		}
		return filter;
	}

	#add(hash: number): void {
		if (this.#size * 2 >= this.#table.length) {
			const old = this.#table;
			this.#table = new Uint32Array(old.length * 2);
			this.#size = 0;
			for (const each of old) if (each !== 0) this.#add(each);
		}
		const mask = this.#table.length - 1;
		const value = hash || 1;
		let at = value & mask;
		for (let there = this.#table[at]; there !== 0; there = this.#table[at]) {
			if (there === value) return;
			at = (at + 1) & mask;
		}
		this.#table[at] = value;
		this.#size++;
	}
}

/** Odd: probes do not repeat. */
function stepOf(hash: number): number {
	let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
	return ((mixed ^ (mixed >>> 16)) | 1) >>> 0;
}

function identifierOf(name: string): string | undefined {
	const found = lastIdentifier.exec(name)?.[1];
	return found?.startsWith("$") && found.length > 1 ? found.slice(1) : found;
}

export class WantedNames {
	readonly #byIdentifier = new Map<string, string[]>();
	readonly #identifiers = new Map<number, string[]>();
	readonly #hashes: Uint32Array;
	/** Names without an identifier, such as `+`. */
	readonly #anywhere: string[] = [];

	constructor(names: ReadonlySet<string>) {
		for (const name of names) {
			const identifier = identifierOf(name);
			if (identifier === undefined) this.#anywhere.push(name);
			else push(this.#byIdentifier, identifier, name);
		}
		for (const identifier of this.#byIdentifier.keys()) push(this.#identifiers, hashOfName(identifier), identifier);
		this.#hashes = Uint32Array.from(this.#identifiers.keys(), (hash) => hash || 1);
	}

	mayBeIn(filter: Uint8Array): boolean {
		if (this.#anywhere.length > 0) return true;
		const bits = filter.length * 8;
		for (const hash of this.#hashes) {
			const step = stepOf(hash);
			let probe = 0;
			for (let at = hash; probe < probes; probe++, at = (at + step) >>> 0) {
				const bit = at % bits;
				if (((filter[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) break;
			}
			if (probe === probes) return true;
		}
		return false;
	}

	in(text: string): Set<string> {
		const found = new Set(this.#anywhere);
		const visit = (hash: number, start: number, end: number) => {
			const identifiers = this.#identifiers.get(hash >>> 0);
			if (!identifiers) return;
			const word = text.slice(start, end);
			if (identifiers.includes(word)) for (const name of this.#byIdentifier.get(word) ?? []) found.add(name);
		};
		scan(text, 0, text.length, (start, end, hash, bare) => {
			visit(hash, start, end);
			if (bare !== hash) visit(bare, start + 1, end);
		});
		return found;
	}
}

/** There may be thousands of names and files. */
export class NameSearches {
	readonly #known = new WeakMap<ReadonlySet<string>, { readonly size: number; readonly wanted: WantedNames }>();

	of(names: ReadonlySet<string>): WantedNames {
		const known = this.#known.get(names);
		if (known?.size === names.size) return known.wanted;
		const wanted = new WantedNames(names);
		this.#known.set(names, { size: names.size, wanted });
		return wanted;
	}
}

function push<Key>(lists: Map<Key, string[]>, key: Key, value: string): void {
	const list = lists.get(key);
	if (list) list.push(value);
	else lists.set(key, [value]);
}
