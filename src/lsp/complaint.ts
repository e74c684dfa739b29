import { MessageType } from "../contract/protocol-kinds.ts";

const maxLength = 300;

/** A server's last reported problem, e.g. a failed import. */
export class Complaint {
	#text: string | undefined;

	get text(): string | undefined {
		return this.#text;
	}

	heard(method: string, params: unknown): void {
		const { type, message, health } = (typeof params === "object" && params !== null ? params : {}) as {
			readonly type?: unknown;
			readonly message?: unknown;
			readonly health?: unknown;
		};
		if (method === "window/showMessage" && (type === MessageType.Error || type === MessageType.Warning))
			this.#said(message);
		else if (method === "language/status" && type === "Error") this.#said(message);
		// rust-analyzer repeats its health, so that a good one takes back what it said.
		else if (method === "experimental/serverStatus" && health === "ok") this.#text = undefined;
		else if (method === "experimental/serverStatus" && health !== undefined) this.#said(message);
	}

	#said(message: unknown): void {
		if (typeof message !== "string") return;
		const line = message
			.slice(0, 2 * maxLength)
			.replace(/\s+/g, " ")
			.trim();
		if (line !== "") this.#text = line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
	}
}

/** A server that cannot import its project may never prove a file. */
export function withComplaint(reason: string, said: string | undefined): string {
	return said === undefined || reason.includes(said) ? reason : `${reason.replace(/\.$/, "")}; it said: ${said}`;
}
