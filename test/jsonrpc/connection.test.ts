import { PassThrough } from "node:stream";
import { describe, expect, test, vi } from "vitest";
import { Connection, ConnectionClosedError, type Handlers, ResponseError } from "../../src/jsonrpc/connection.ts";
import { ContentLengthReader, ContentLengthWriter } from "../../src/jsonrpc/content-length.ts";
import { met, notYet, until } from "../support/until.ts";

interface Message {
	readonly id?: number | string;
	readonly method?: string;
	readonly params?: unknown;
	readonly result?: unknown;
	readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A connection, and a peer that shows every message and sends those of a test. */
class Wire {
	readonly toPeer = new PassThrough();
	readonly fromPeer = new PassThrough();
	readonly heard: Message[] = [];
	readonly closed = vi.fn();
	readonly connection: Connection;
	readonly #writer = new ContentLengthWriter(this.fromPeer);

	constructor(handlers: Partial<Handlers> = {}) {
		new ContentLengthReader(this.toPeer).listen((message) => void this.heard.push(message as Message));
		const all = { request: async () => null, notification: () => {}, closed: this.closed, ...handlers };
		const [reader, writer] = [new ContentLengthReader(this.fromPeer), new ContentLengthWriter(this.toPeer)];
		this.connection = new Connection(reader, writer, all);
	}

	say(message: Message): void {
		void this.#writer.write({ jsonrpc: "2.0", ...message } as never);
	}

	/** The first message to the peer that `fits`. */
	hears(what: string, fits: (message: Message) => boolean): Promise<Message> {
		return until(what, () => {
			const found = this.heard.find(fits);
			return found ? met(found) : notYet(JSON.stringify(this.heard));
		});
	}
}

describe("a request", () => {
	test("is answered with the peer's result", async () => {
		const wire = new Wire();
		const answer = wire.connection.request("ask", { a: 1 });
		const { id } = await wire.hears("the request", ({ method }) => method === "ask");
		wire.say({ id: id ?? 0, result: { b: 2 } });
		expect(await answer).toEqual({ b: 2 });
	});

	test("rejects at once when its signal aborts, and cancels at the peer", async () => {
		const wire = new Wire();
		const controller = new AbortController();
		const answer = wire.connection.request("slow", {}, controller.signal);
		const asked = await wire.hears("the request", ({ method }) => method === "slow");
		controller.abort();
		await expect(answer).rejects.toMatchObject({ code: "LSP_CANCELLED" });
		const cancel = await wire.hears("the cancellation", ({ method }) => method === "$/cancelRequest");
		expect(cancel.params).toEqual({ id: asked.id });
	});

	test("rejects with the reason of the signal itself", async () => {
		const wire = new Wire();
		const controller = new AbortController();
		const answer = wire.connection.request("slow", {}, controller.signal);
		controller.abort(new Error("out of time"));
		await expect(answer).rejects.toThrow("out of time");
	});

	test("is not sent if its signal has aborted already", async () => {
		const wire = new Wire();
		await expect(wire.connection.request("never", {}, AbortSignal.abort())).rejects.toMatchObject({
			code: "LSP_CANCELLED",
		});
		wire.connection.notify("after", {});
		await wire.hears("the notification", ({ method }) => method === "after");
		expect(wire.heard.map(({ method }) => method)).toEqual(["after"]);
	});

	test("ignores a response after the cancellation, a second response, and one without a request", async () => {
		const wire = new Wire();
		const controller = new AbortController();
		const answer = wire.connection.request("slow", {}, controller.signal);
		const { id = 0 } = await wire.hears("the request", ({ method }) => method === "slow");
		controller.abort();
		await expect(answer).rejects.toMatchObject({ code: "LSP_CANCELLED" });
		wire.say({ id, result: 1 });
		wire.say({ id, result: 2 });
		wire.say({ id: 4711, result: 3 });
		wire.say({ id: "no number", error: { code: 1, message: "late" } });
		const next = wire.connection.request("next", {});
		const asked = await wire.hears("the next request", ({ method }) => method === "next");
		wire.say({ id: asked.id ?? 0, result: "fine" });
		expect(await next).toBe("fine");
		expect(wire.closed).not.toHaveBeenCalled();
	});

	test("rejects with the code and data of the peer's error", async () => {
		const wire = new Wire();
		const answer = wire.connection.request("ask", {});
		const { id = 0 } = await wire.hears("the request", ({ method }) => method === "ask");
		wire.say({ id, error: { code: -32801, message: "modified", data: { a: 1 } } });
		await expect(answer).rejects.toMatchObject({ code: -32801, message: "modified", data: { a: 1 } });
	});
});

describe("the end of a connection", () => {
	test.each([
		["when the peer's output ends", (wire: Wire) => void wire.fromPeer.end()],
		["when the peer's output breaks", (wire: Wire) => void wire.fromPeer.destroy(new Error("reset"))],
		["when the peer's output cannot be parsed", (wire: Wire) => void wire.fromPeer.write("Content-Length: -1\r\n\r\n")],
		["when the connection is disposed of", (wire: Wire) => wire.connection.dispose()],
	])("rejects all pending requests, %s", async (_, end) => {
		const wire = new Wire();
		const answers = [wire.connection.request("a", {}), wire.connection.request("b", {})];
		const settled = Promise.allSettled(answers);
		end(wire);
		for (const answer of await settled)
			expect(answer).toMatchObject({ status: "rejected", reason: expect.any(ConnectionClosedError) });
		expect(wire.closed).toHaveBeenCalledTimes(1);
		expect(wire.connection.closed).toBe(true);
		await expect(wire.connection.request("c", {})).rejects.toBeInstanceOf(ConnectionClosedError);
	});

	test("turns a notification into a no-op", () => {
		const wire = new Wire();
		wire.connection.dispose();
		expect(() => wire.connection.notify("late", {})).not.toThrow();
		wire.connection.dispose();
		expect(wire.closed).toHaveBeenCalledTimes(1);
	});

	test("aborts the signal of the peer's requests", async () => {
		let given: AbortSignal | undefined;
		const wire = new Wire({
			request: (_method, _params, signal) => {
				given = signal;
				return new Promise(() => {});
			},
		});
		wire.say({ id: 1, method: "work" });
		await until("the handler has the request", () => (given ? met(given) : notYet("nothing")));
		wire.fromPeer.end();
		await until("its signal ends", () => (given?.aborted ? met(true) : notYet("still running")));
	});
});

describe("a request of the peer", () => {
	test("is answered by the handler", async () => {
		const wire = new Wire({ request: async (method, params) => ({ method, params }) });
		wire.say({ id: "x", method: "ask", params: { a: 1 } });
		const answer = await wire.hears("the answer", ({ id }) => id === "x");
		expect(answer.result).toEqual({ method: "ask", params: { a: 1 } });
	});

	test("becomes an error reply when the handler fails, and the connection stays open", async () => {
		const wire = new Wire({
			request: async (method) => {
				throw method === "typed" ? new ResponseError(-32000, "no", { code: "X" }) : new Error("oh");
			},
		});
		wire.say({ id: 1, method: "typed" });
		wire.say({ id: 2, method: "plain" });
		expect((await wire.hears("the first", ({ id }) => id === 1)).error).toMatchObject({
			code: -32000,
			message: "no",
			data: { code: "X" },
		});
		expect((await wire.hears("the second", ({ id }) => id === 2)).error?.message).toContain("oh");
		expect(wire.closed).not.toHaveBeenCalled();
	});

	test("aborts its signal when the peer cancels it", async () => {
		let given: AbortSignal | undefined;
		const wire = new Wire({
			request: (_method, _params, signal) => {
				given = signal;
				return new Promise((resolve) => signal.addEventListener("abort", () => resolve(null)));
			},
		});
		wire.say({ id: 7, method: "work" });
		await until("the handler has the request", () => (given ? met(given) : notYet("nothing")));
		wire.say({ method: "$/cancelRequest", params: { id: 7 } });
		await until("the cancellation arrives", () => (given?.aborted ? met(true) : notYet("still running")));
		await wire.hears("an answer all the same", ({ id }) => id === 7);
	});

	test("a notification whose handler throws does not end the connection", async () => {
		const wire = new Wire({
			notification: () => {
				throw new Error("oh");
			},
		});
		wire.say({ method: "bad" });
		wire.say({ id: 1, method: "ask" });
		await wire.hears("the answer after it", ({ id }) => id === 1);
	});
});

test("requests and notifications arrive in the order in which they were sent", async () => {
	const wire = new Wire();
	const made: string[] = [];
	for (let i = 0; i < 200; i++) {
		const method = `${i % 3 === 0 ? "ask" : "tell"}-${i}`;
		made.push(method);
		if (i % 3 === 0) wire.connection.request(method, {}).catch(() => {});
		else wire.connection.notify(method, {});
	}
	await wire.hears("the last one", ({ method }) => method === made.at(-1));
	expect(wire.heard.map(({ method }) => method)).toEqual(made);
	wire.connection.dispose();
});

test("notifications before a response are handled before it", async () => {
	const seen: string[] = [];
	const wire = new Wire({ notification: () => void seen.push("notified") });
	const answered = wire.connection.request("ask", {}).then(() => seen.push("answered"));
	const { id } = await wire.hears("the question", ({ method }) => method === "ask");
	wire.say({ method: "tell" });
	wire.say({ ...(id === undefined ? {} : { id }), result: 1 });
	await answered;
	expect(seen).toEqual(["notified", "answered"]);
	wire.connection.dispose();
});

test("a message without parameters is sent without `params`", async () => {
	const wire = new Wire();
	void wire.connection.request("shutdown", undefined).catch(() => {});
	wire.connection.notify("exit", undefined);
	expect(await wire.hears("the request", ({ method }) => method === "shutdown")).not.toHaveProperty("params");
	expect(await wire.hears("the notification", ({ method }) => method === "exit")).not.toHaveProperty("params");
});
