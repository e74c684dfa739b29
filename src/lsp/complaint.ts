import { MessageType } from "../contract/protocol-kinds.ts";

const maxLength = 300;

export class Complaint {
	#text: string | undefined;

	get text(): string | undefined {
		return this.#text;
	}

	received(method: string, params: unknown): void {
		const { type, message, health } = (typeof params === "object" && params !== null ? params : {}) as {
			readonly type?: unknown;
			readonly message?: unknown;
			readonly health?: unknown;
		};
		if (method === "window/showMessage" && (type === MessageType.Error || type === MessageType.Warning))
			this.#keep(message);
		else if (method === "language/status" && type === "Error") this.#keep(message);
		// rust-analyzer repeats its health, so that a good one takes back the complaint.
		else if (method === "experimental/serverStatus" && health === "ok") this.#text = undefined;
		else if (method === "experimental/serverStatus" && health !== undefined) this.#keep(message);
	}

	#keep(message: unknown): void {
		if (typeof message !== "string") return;
		const line = message
			.slice(0, 2 * maxLength)
			.replace(/\s+/g, " ")
			.trim();
		if (line !== "") this.#text = line.length > maxLength ? `${line.slice(0, maxLength)}…` : line;
	}
}

/** A server that cannot import its project may never prove a file. */
export function withComplaint(reason: string, complaint: string | undefined): string {
	return complaint === undefined || reason.includes(complaint)
		? reason
		: `${reason.replace(/\.$/, "")}; it said: ${complaint}`;
}
