import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Diagnostic } from "vscode-languageserver-protocol";
import type { Workspace } from "../../test/support/workspace.ts";
import { BareClient, type BareServer } from "../bare-client.ts";
import { machineMs } from "./clock.ts";
import { type Change, changed } from "./project.ts";

/** How a bare client finds out what is wrong in a file that it has open, once it was told of the newest text. */
export type Prove = (client: BareClient, file: string, root: string) => Promise<readonly Diagnostic[]>;

const pull: Prove = (client, file) => client.pull(file);

/**
 * gopls leaves the kind of its reports empty, for which `pull` takes them for unchanged ones, and refuses files that the
 * build leaves out.
 */
export const pullItems: Prove = async (client, file) => {
	const asked = client.ask<{ readonly items?: readonly Diagnostic[] }>("textDocument/diagnostic", file);
	const { items } = await asked.catch((error: unknown) => {
		if (error instanceof Error && error.message.includes("no package metadata")) return { items: [] };
		throw error;
	});
	return items ?? [];
};

/** What a bare client learned of an edit, and how long it took. */
export interface BareAnswer {
	readonly ms: number;
	readonly errors: readonly Diagnostic[];
}

/** How a bare client works with one server. */
export interface BareHabits {
	/** TypeScript 7 is the server where none is named. */
	readonly server?: BareServer;
	readonly prove?: Prove;
	/** Waits until the server can be asked. */
	readonly ready?: (client: BareClient) => Promise<void>;
	/** Whether a file has to be open to be proven. */
	readonly opens?: boolean;
	/** Whether a file has to be opened anew to be proven again. */
	readonly reopens?: boolean;
}

/** The bare client with a copy of a project of its own: it makes the same edits as pi, and asks for the same proofs. */
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

	/** The text of a file of this copy. */
	text(file: string): string {
		const text = this.#texts.get(file) ?? readFileSync(join(this.root, file), "utf8");
		this.#texts.set(file, text);
		return text;
	}

	/** The files of this copy for which `isWanted` holds. */
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

	/** Makes an edit of a file and proves that file: the floor of what an edit costs. */
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

/** The errors that an edit brought into its file: those that say something that was not said before as often. */
export function newErrors(before: readonly Diagnostic[], after: readonly Diagnostic[]): Diagnostic[] {
	const left = new Map<string, number>();
	for (const item of before) left.set(saying(item), (left.get(saying(item)) ?? 0) + 1);
	return after.filter((item) => {
		const count = left.get(saying(item)) ?? 0;
		left.set(saying(item), count - 1);
		return count <= 0;
	});
}

/** The place of a diagnostic as pi-lsp writes it, `line:column`, both from 1. */
export function placeOf({ range: { start } }: Diagnostic): string {
	return `${start.line + 1}:${start.character + 1}`;
}

function saying({ code, message }: Diagnostic): string {
	return JSON.stringify([code, message]);
}
