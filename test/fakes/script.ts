/** What `fake-server.mjs` does; everything in it is optional. */
export interface Script {
	/** Where it writes down, one JSON a line, what it was sent; the bare bytes are in the same name with `.bytes`. */
	readonly record?: string;
	/** Laid over those of the honest server. */
	readonly capabilities?: Readonly<Record<string, unknown>>;
	/**
	 * Publishes what is wrong with each text that it is sent: with its version, without, only where that is new, or, with
	 * its version, once for each text.
	 */
	readonly publishes?: "versioned" | "plain" | "changes" | "texts";
	/** Before it reads its first byte. */
	readonly start?: readonly Step[];
	/** For messages of a client: the first rule that fits replaces the honest answer. */
	readonly on?: readonly Rule[];
}

export interface Rule {
	readonly method: string;
	/** Only for the n-th message of that method, counted from 1. */
	readonly nth?: number;
	/** Only in the n-th server that was started with this record, counted from 1. */
	readonly generation?: number;
	/** Only about the document whose URI ends so, and while the text of another one has these characters. */
	readonly judges?: { readonly file: string; readonly by: string; readonly has: string };
	readonly do: readonly Step[];
}

export type Step =
	/** Answers the request: with a result, as the honest server would, with an error, or not at all. */
	| { readonly reply: unknown }
	| { readonly default: true }
	/** Answers a hover with the place that was asked about, 1-based as "line:column", and the document's text. */
	| { readonly echo: true }
	| { readonly error: { readonly code: number; readonly message: string; readonly data?: unknown } }
	| { readonly never: true }
	| { readonly delay: number }
	/** Goes on when a file is there. */
	| { readonly waitFor: string }
	/** Any message in a proper frame: a second answer, an answer to nobody. */
	| { readonly send: Readonly<Record<string, unknown>> }
	/** Bytes on standard output that no frame is put around: UTF-8, or hexadecimal. */
	| { readonly raw: string }
	| { readonly bytes: string }
	/** From here on bytes leave in pieces of this size. */
	| { readonly split: number }
	| { readonly notify: string; readonly params?: unknown; readonly times?: number }
	/** A request to the client; its answer is in the record. */
	| { readonly ask: string; readonly params?: unknown; readonly id?: string | number }
	| { readonly stderr: string; readonly times?: number }
	/** Ends at once: with an exit code, or by a signal. */
	| { readonly crash: number | NodeJS.Signals }
	| { readonly stopReading: true }
	/** Closes one of its pipes and lives on. */
	| { readonly close: "stdin" | "stdout" }
	| { readonly ignoreTerm: true }
	/** Lives on when its standard input ends. */
	| { readonly stay: true }
	/** Starts a process of its own, `stubborn` if it does not heed SIGTERM. */
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
