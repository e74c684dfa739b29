/** The behaviour of `fake-server.mjs`; all fields are optional. */
export interface Script {
	/** The file in which it records its input, one JSON a line; the raw bytes are in the same name with `.bytes`. */
	readonly record?: string;
	/** Capabilities that override those of the honest server. */
	readonly capabilities?: Readonly<Record<string, unknown>>;
	/**
	 * Publishes the errors of each text: with its version, without, only if they are new, or, with its version, once
	 * for each text.
	 */
	readonly publishes?: "versioned" | "plain" | "changes" | "texts";
	/** Actions before it reads its first byte. */
	readonly start?: readonly Step[];
	/** Rules for messages of a client: the first rule that fits replaces the honest answer. */
	readonly on?: readonly Rule[];
}

export interface Rule {
	readonly method: string;
	/** The rule is for the n-th message of that method, counted from 1. */
	readonly nth?: number;
	/** The rule is for the n-th server that was started with this record, counted from 1. */
	readonly generation?: number;
	/** The rule is for the document whose URI ends so, and while the text of another one has these characters. */
	readonly judges?: { readonly file: string; readonly by: string; readonly has: string };
	readonly do: readonly Step[];
}

export type Step =
	/** Answers the request: with a result, as the honest server would, with an error, or not at all. */
	| { readonly reply: unknown }
	| { readonly default: true }
	/** Answers a hover with the requested position, 1-based as "line:column", and the document's text. */
	| { readonly echo: true }
	| { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
	| { readonly never: true }
	| { readonly delay: number }
	/** Continues when a file exists. */
	| { readonly waitFor: string }
	/** Any message in a valid frame: a second answer, an answer without a request. */
	| { readonly send: Readonly<Record<string, unknown>> }
	/** Bytes on standard output without a frame: UTF-8, or hexadecimal. */
	| { readonly raw: string }
	| { readonly bytes: string }
	/** From here on bytes leave in pieces of this size. */
	| { readonly split: number }
	| { readonly notify: string; readonly params?: unknown; readonly times?: number }
	/** A request to the client; its answer is in the record. */
	| { readonly ask: string; readonly params?: unknown; readonly id?: string | number }
	| { readonly stderr: string; readonly times?: number }
	/** Exits at once: with an exit code, or by a signal. */
	| { readonly crash: number | NodeJS.Signals }
	| { readonly stopReading: true }
	/** Closes one of its pipes and keeps running. */
	| { readonly close: "stdin" | "stdout" }
	| { readonly ignoreTerm: true }
	/** Keeps running when its standard input ends. */
	| { readonly stay: true }
	/** Starts a process of its own, `stubborn` if it ignores SIGTERM. */
	| { readonly grandchild: "plain" | "stubborn" };

/** One line of a record. */
export interface Entry {
	readonly pid: number;
	readonly did?: string;
	readonly child?: number;
	readonly got?: {
		readonly id?: string | number;
		readonly method?: string;
		readonly params?: Readonly<Record<string, unknown>>;
		readonly result?: unknown;
		readonly error?: { readonly code: number; readonly message: string };
	};
}
