import type { PublishDiagnosticsParams } from "vscode-languageserver-protocol";
import type { Diagnostic } from "../contract/check-report.ts";
import { convertDiagnostics } from "../diagnostics/sources/convert.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { pause } from "../util/abort.ts";
import { linesOf, toPath } from "../util/positions.ts";

/** One `publishDiagnostics` after a text was sent. */
export interface Push {
	/** Milliseconds from when the text was sent. */
	readonly ms: number;
	readonly versioned: boolean;
	readonly told: readonly Diagnostic[];
}

/** After the first push so long for others: many servers publish their parser's findings before their checker's. */
const moreMs = 300;

/** Everything that a server publishes about one file. */
export class PushLog {
	readonly #server: LanguageServer;
	readonly #pushes: { readonly params: PublishDiagnosticsParams; readonly at: number }[] = [];
	readonly #off: () => void;
	#wake = () => {};

	constructor(server: LanguageServer, path: string) {
		this.#server = server;
		this.#off = server.on("textDocument/publishDiagnostics", (params) => {
			const push = params as PublishDiagnosticsParams;
			if (toPath(push.uri) !== path) return;
			this.#pushes.push({ params: push, at: performance.now() });
			this.#wake();
		});
	}

	close(): void {
		this.#off();
	}

	/** What is pushed after a text was sent; waits at most `ms` for the first. A push for an older version does not count. */
	async since({ version, sentAt, text }: OpenDocument, ms: number): Promise<Push[]> {
		const lines = linesOf(text);
		const ours = () => this.#pushes.filter(({ params, at }) => at > sentAt && (params.version ?? version) >= version);
		if (ours().length === 0) {
			const come = new Promise<void>((resolve) => {
				this.#wake = () => {
					if (ours().length > 0) resolve();
				};
			});
			await Promise.race([come, pause(ms)]);
		}
		if (ours().length > 0) await pause(moreMs);
		return ours().map(({ params, at }) => ({
			ms: at - sentAt,
			versioned: typeof params.version === "number",
			told: convertDiagnostics(params.diagnostics ?? [], lines, this.#server.encoding),
		}));
	}
}
