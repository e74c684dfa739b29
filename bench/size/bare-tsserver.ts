import { join } from "node:path";
import type { Diagnostic } from "vscode-languageserver-protocol";
import type { Prove } from "./bare-side.ts";

interface TsserverDiagnostic {
	readonly code: number;
	readonly category: string;
	readonly text: string;
	readonly start: { readonly line: number; readonly offset: number };
	readonly end: { readonly line: number; readonly offset: number };
}

/** TypeScript 5.9 proves a file by two requests to tsserver, for its syntax and its types. */
export const proveByTsserver: Prove = async (client, file, root) => {
	const ask = async (command: string) => {
		const path = join(root, file);
		const { body } = await client.send<{ readonly body?: readonly TsserverDiagnostic[] }>("workspace/executeCommand", {
			command: "typescript.tsserverRequest",
			arguments: [command, { file: path }, { isAsync: false }],
		});
		return body ?? [];
	};
	const [syntax, types] = await Promise.all([ask("syntacticDiagnosticsSync"), ask("semanticDiagnosticsSync")]);
	return [...syntax, ...types].map(asDiagnostic);
};

function asDiagnostic({ code, category, text, start, end }: TsserverDiagnostic): Diagnostic {
	const at = ({ line, offset }: TsserverDiagnostic["start"]) => ({ line: line - 1, character: offset - 1 });
	return {
		code,
		severity: category === "error" ? 1 : 2,
		message: text,
		range: { start: at(start), end: at(end) },
	};
}
