/**
 * What a server does by itself with a repository, in the words of whoever looked into its source. A text that begins with
 * `nothing` says that there is nothing of the kind; what follows tells how near it comes.
 */
export interface Judgement {
	/** Programs and code of the workspace that it runs, when, and what switches that off. */
	readonly runs: string;
	/** What it reads outside of the workspace. */
	readonly reads: string;
	/** Where it writes. `only its own` are places that no repository can choose. */
	readonly writes: string;
	/** What it asks of the network. `only its own` are hosts that no repository can name. */
	readonly fetches: string;
	/** What it needs to be harmless without trust: nothing, to wait for trust, or what the entry passes without it. */
	readonly needs: "nothing" | "trust" | Needs;
	/** `owner/repository file:line` of its own source, a file of this repository, or `unknown`. */
	readonly source: readonly string[];
}

/** What keeps a server harmless. Each part stands in its entry as it is started without trust. */
interface Needs {
	readonly args?: readonly string[];
	readonly environment?: Readonly<Record<string, string>>;
	readonly initializationOptions?: unknown;
	readonly settings?: unknown;
	/** Files with which it is not started. */
	readonly unless?: readonly string[];
	/** What we do about it elsewhere than in the entry. */
	readonly ours?: string;
}

/** Judgements by the ids of the servers. */
export type Judgements = Readonly<Record<string, Judgement>>;
