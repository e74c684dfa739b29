import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "vscode-languageserver-protocol";
import type { Workspace } from "../../test/support/workspace.ts";
import { BareClient, type BareServer } from "../bare-client.ts";
import { machineMs } from "./clock.ts";
import { type Change, changed } from "./project.ts";

/** How a bare client finds the errors of an open file after the server has received the newest text. */
export type Prove = (client: BareClient, file: string, root: string) => Promise<readonly Diagnostic[]>;

const pull: Prove = (client, file) => client.pull(file);

/**
 * gopls leaves the kind of its reports empty, which `pull` takes for unchanged, and refuses files that the build excludes.
 */
export const pullItems: Prove = async (client, file) => {
	const asked = client.ask<{ readonly items?: readonly Diagnostic[] }>("textDocument/diagnostic", file);
	const { items } = await asked.catch((error: unknown) => {
		if (error instanceof Error && error.message.includes("no package metadata")) return { items: [] };
		throw error;
	});
	return items ?? [];
};

export interface BareAnswer {
	readonly ms: number;
	readonly errors: readonly Diagnostic[];
}

export interface BareHabits {
	/** TypeScript 7 is the default. */
	readonly server?: BareServer;
	readonly prove?: Prove;
	/** Waits until the server accepts requests. */
	readonly ready?: (client: BareClient) => Promise<void>;
	/** A file has to be open to be proven. */
	readonly opens?: boolean;
	/** A file has to be opened again to be proven again. */
	readonly reopens?: boolean;
}

/** A bare client with its own copy of a project: it makes the same edits as pi, and requests the same proofs. */
export class BareSide {
	readonly client: BareClient;
	readonly root: string;
	readonly #prove: Prove;
	readonly #opens: boolean;
	readonly #reopens: boolean;
	readonly #open = new Set<string>();
	readonly #texts = new Map<string, string>();
	#files: readonly string[] | undefined;

	private constructor(client: BareClient, root: string, { prove = pull, opens = false, reopens = false }: BareHabits) {
		this.client = client;
		this.root = root;
		this.#prove = prove;
		this.#opens = opens;
		this.#reopens = reopens;
	}

	static async start(ws: Workspace, root: string, habits: BareHabits = {}): Promise<BareSide> {
		const client = await BareClient.start(root, ws.env, habits.server);
		await habits.ready?.(client);
		return new BareSide(client, root, habits);
	}

	text(file: string): string {
		const text = this.#texts.get(file) ?? readFileSync(join(this.root, file), "utf8");
		this.#texts.set(file, text);
		return text;
	}

	files(isWanted: (path: string) => boolean): string[] {
		this.#files ??= readdirSync(this.root, { recursive: true, encoding: "utf8" }).sort();
		return this.#files.filter(isWanted);
	}

	/** Opens a file as it is on disk, and proves it once. */
	async warm(file: string): Promise<readonly Diagnostic[]> {
		if (!this.#reopens) this.#openOnce(file);
		this.#open.add(file);
		return (await this.prove(file)).errors;
	}

	/** Makes an edit of a file and proves that file: the least time of an edit. */
	async edit(change: Change): Promise<BareAnswer> {
		const { file } = change;
		if (this.#reopens && !this.#open.has(file)) await this.warm(file);
		this.#openOnce(file);
		const text = changed(this.text(file), change);
		this.#texts.set(file, text);
		writeFileSync(join(this.root, file), text);
		const began = machineMs();
		this.client.change(file, text);
		const found = await this.#prove(this.client, file, this.root);
		return { ms: machineMs() - began, errors: found.filter(isError) };
	}

	/** Proves a file without another edit. */
	async prove(file: string): Promise<BareAnswer> {
		const text = this.text(file);
		const began = machineMs();
		if (this.#reopens) this.client.open(file, text);
		else if (this.#opens) this.#openOnce(file, text);
		const found = await this.#prove(this.client, file, this.root);
		return { ms: machineMs() - began, errors: found.filter(isError) };
	}

	#openOnce(file: string, text = this.text(file)): void {
		if (this.#open.has(file)) return;
		this.#open.add(file);
		this.client.open(file, text);
	}
}

function isError({ severity }: Diagnostic): boolean {
	return severity === 1;
}

/** The errors that an edit added to its file, identified by code and message. */
export function newErrors(before: readonly Diagnostic[], after: readonly Diagnostic[]): Diagnostic[] {
	const left = new Map<string, number>();
	for (const item of before) left.set(keyOf(item), (left.get(keyOf(item)) ?? 0) + 1);
	return after.filter((item) => {
		const count = left.get(keyOf(item)) ?? 0;
		left.set(keyOf(item), count - 1);
		return count <= 0;
	});
}

/** `line:column` of a diagnostic, both 1-based, as pi-lsp writes it. */
export function placeOf({ range: { start } }: Diagnostic): string {
	return `${start.line + 1}:${start.character + 1}`;
}

function keyOf({ code, message }: Diagnostic): string {
	return JSON.stringify([code, message]);
}
