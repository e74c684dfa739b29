import type { PublishDiagnosticsParams } from "vscode-languageserver-protocol";
import type { Diagnostic } from "../contract/check-report.ts";
import { convertDiagnostics } from "../diagnostics/sources/convert.ts";
import type { OpenDocument } from "../lsp/documents.ts";
import type { LanguageServer } from "../lsp/server.ts";
import { pause } from "../util/abort.ts";
import { linesOf, toPath } from "../util/positions.ts";

export interface Push {
	readonly ms: number;
	readonly versioned: boolean;
	readonly diagnostics: readonly Diagnostic[];
}

/** Many first publish their parser's diagnostics. */
const moreMs = 300;

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
		const pushes = ours().map(async ({ params, at }) => ({
			ms: at - sentAt,
			versioned: typeof params.version === "number",
			diagnostics: await convertDiagnostics(params.diagnostics ?? [], lines, this.#server.encoding),
		}));
		return Promise.all(pushes);
	}
}
