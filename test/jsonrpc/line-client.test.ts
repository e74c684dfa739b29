import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { FrameError, TooLargeError } from "../../src/jsonrpc/errors.ts";
import { LineClient } from "../../src/jsonrpc/line-client.ts";
import { met, notYet, until } from "../support/until.ts";

type Message = Readonly<Record<string, unknown>>;

/** The daemon's end of a socket, as text. */
class Peer {
	readonly #toPeer = new PassThrough({ encoding: "utf8" });
	readonly #fromPeer = new PassThrough();
	#text = "";
	readonly client: LineClient;

	constructor(answer: (method: string) => unknown = () => undefined) {
		const socket = Object.assign(this.#fromPeer, { write: (bytes: Uint8Array) => this.#toPeer.write(bytes) });
		this.#toPeer.on("data", (text: string) => {
			this.#text += text;
		});
		this.client = new LineClient(socket);
		this.client.answer = answer;
	}

	get heard(): Message[] {
		return this.#text
			.split("\n")
			.slice(0, -1)
			.map((line) => JSON.parse(line));
	}

	hears(what: string, fits: (message: Message) => boolean): Promise<Message> {
		return until(what, () => {
			const found = this.heard.find(fits);
			return found ? met(found) : notYet(this.#text);
		});
	}

	sendText(text: string): void {
		this.#fromPeer.push(text);
	}

	send(message: Message): void {
		this.sendText(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
	}

	end(): void {
		this.#fromPeer.destroy();
	}
}

describe("a call of the daemon", () => {
	test("is answered by its id, whatever the order", async () => {
		const peer = new Peer();
		const both = [peer.client.request("a", { x: 1 }), peer.client.request("b", {})];
		const [a, b] = await Promise.all(["a", "b"].map((name) => peer.hears(name, ({ method }) => method === name)));
		expect(a).toMatchObject({ jsonrpc: "2.0", params: { x: 1 } });
		peer.send({ id: b?.id, result: "of b" });
		peer.send({ id: a?.id, result: "of a" });
		expect(await Promise.all(both)).toEqual(["of a", "of b"]);
	});

	test("rejects with the message and the data of an error", async () => {
		const peer = new Peer();
		const asked = peer.client.request("a", {});
		peer.send({ id: 1, error: { code: 1, message: "No.", data: { code: "LSP_X" } } });
		await expect(asked).rejects.toMatchObject({ message: "No.", data: { code: "LSP_X" } });
	});

	test("is cancelled at the daemon when its signal aborts, and rejects for the signal's reason", async () => {
		const peer = new Peer();
		const controller = new AbortController();
		const asked = peer.client.request("a", {}, controller.signal);
		controller.abort(new Error("enough"));
		await expect(asked).rejects.toThrow("enough");
		await peer.hears("the cancellation", ({ method }) => method === "$/cancelRequest");
		expect(peer.heard.at(-1)).toMatchObject({ params: { id: 1 } });
		peer.send({ id: 1, result: "late" });
		const next = peer.client.request("b", {});
		peer.send({ id: 2, result: "of b" });
		expect(await next).toBe("of b");
	});

	test("sends nothing with a signal that has aborted", async () => {
		const peer = new Peer();
		await expect(peer.client.request("a", {}, AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
		expect(peer.heard).toEqual([]);
	});

	test("rejects when it is over 16 MB, and the connection is kept", async () => {
		const peer = new Peer();
		await expect(peer.client.request("a", "x".repeat(16 * 1024 * 1024))).rejects.toBeInstanceOf(TooLargeError);
		expect(peer.client.closed).toBe(false);
	});

	test.each<[string, (peer: Peer) => void]>([
		["the daemon goes away", (peer) => peer.end()],
		["a line is not JSON", (peer) => peer.sendText("hello\n")],
		["a line is no object", (peer) => peer.sendText("[]\n")],
		["the caller disposes of the connection", (peer) => peer.client.dispose()],
	])("rejects once %s, like all later calls", async (_, break_) => {
		const peer = new Peer();
		const asked = peer.client.request("a", {});
		break_(peer);
		await expect(asked).rejects.toMatchObject({ name: "ConnectionClosedError" });
		await expect(peer.client.request("b", {})).rejects.toMatchObject({ name: "ConnectionClosedError" });
		expect(peer.client.closed).toBe(true);
		peer.client.notify("c", {});
	});

	test("rejects at an answer over 16 MB, before the end of the answer", async () => {
		const peer = new Peer();
		const asked = peer.client.request("a", {});
		for (let sent = 0; sent <= 16; sent++) peer.sendText("x".repeat(1024 * 1024));
		await expect(asked).rejects.toMatchObject({ name: "ConnectionClosedError", cause: expect.any(FrameError) });
	});
});

test("the daemon's requests are answered, and refused for an unknown method", async () => {
	const peer = new Peer((method) => (method === "environment" ? { PATH: "/bin" } : undefined));
	peer.send({ id: 7, method: "environment", params: {} });
	expect(await peer.hears("the answer", ({ id }) => id === 7)).toMatchObject({ result: { PATH: "/bin" } });
	peer.send({ id: 8, method: "secrets", params: {} });
	expect(await peer.hears("the refusal", ({ id }) => id === 8)).toMatchObject({ error: { code: -32601 } });
	peer.client.dispose();
});

test("A request of the daemon gets no answer before the caller may give one", async () => {
	const peer = new Peer();
	const { answer } = peer.client;
	peer.client.answer = undefined;
	peer.send({ id: 1, method: "environment" });
	peer.client.answer = answer;
	peer.send({ id: 2, method: "environment" });
	await peer.hears("an answer", ({ id }) => id === 2);
	expect(peer.heard.map(({ id }) => id)).toEqual([2]);
});
