export class ByteRing {
	readonly #limit: number;
	#bytes = Buffer.alloc(0);

	constructor(limit: number) {
		this.#limit = limit;
	}

	add(chunk: Buffer): void {
		const last = chunk.subarray(-this.#limit);
		if (this.#size + last.length > this.#bytes.length) this.#grow(last.length);
		const kept = Math.min(this.#size, this.#limit - last.length);
		this.#bytes.copyWithin(0, this.#size - kept, this.#size);
		last.copy(this.#bytes, kept);
		this.#size = kept + last.length;
	}

	toString(): string {
		return this.#bytes.toString("utf8", 0, this.#size);
	}

	#size = 0;

	#grow(more: number): void {
		const length = Math.min(this.#limit, Math.max(this.#bytes.length * 2, this.#size + more, 1024));
		if (length <= this.#bytes.length) return;
		const grown = Buffer.alloc(length);
		this.#bytes.copy(grown, 0, 0, this.#size);
		this.#bytes = grown;
	}
}
