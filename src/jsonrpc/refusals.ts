import { ErrorCodes, type ResponseMessage } from "vscode-jsonrpc/node";

type Id = string | number | null;

export function refusal(id: Id, code: number, message: string): ResponseMessage {
	return { jsonrpc: "2.0", id, error: { code, message } };
}

export function refusedAsTooLong(head: Buffer, tail: Buffer, maxBytes: number): ResponseMessage {
	const words = `The message has more than ${Math.round(maxBytes / 2 ** 20)} MB, which is more than is taken.`;
	return refusal(idIn(head, tail), ErrorCodes.InvalidRequest, words);
}

export function refusedAsNoJson(): ResponseMessage {
	return refusal(null, ErrorCodes.ParseError, "That is not JSON in UTF-8.");
}

export function refusedAsNoMessage(value: unknown): ResponseMessage {
	const { id } = (value ?? {}) as { readonly id?: unknown };
	const words = Array.isArray(value) ? "Batches are not taken; send one message a line." : "That is no message.";
	return refusal(isId(id) ? id : null, ErrorCodes.InvalidRequest, words);
}

/** vscode-jsonrpc throws for a cancellation without an id. */
export function cancelsNothing(message: object): boolean {
	const { method, params } = message as {
		readonly method?: unknown;
		readonly params?: { readonly id?: unknown } | null;
	};
	return method === "$/cancelRequest" && !isId(params?.id);
}

export function isId(id: unknown): id is string | number {
	return typeof id === "string" || typeof id === "number";
}

function idIn(head: Buffer, tail: Buffer): Id {
	const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*,/.exec(
		head.toString(),
	);
	const last = /,\s*"id"\s*:\s*(-?\d+|"(?:[^"\\]|\\.)*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/.exec(
		tail.toString(),
	);
	const written = (first ?? last)?.[1];
	return written === undefined ? null : (JSON.parse(written) as string | number);
}
