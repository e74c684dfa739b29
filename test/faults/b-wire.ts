import { spawn } from "node:child_process";
import net from "node:net";
import process from "node:process";
import { pause } from "../../src/util/abort.ts";
import { speak } from "../daemon/daemon.ts";
import { Caller, codeOf, found } from "./caller.ts";
import { backTo, holdingsOf } from "./oracle.ts";
import { must, type Row, shown } from "./row.ts";
import { timed, waitUntil } from "./waits.ts";
import type { World } from "./world.ts";

const hover = "textDocument/hover";

function line(value: unknown): string {
	return `${JSON.stringify(value)}\n`;
}

/** The directory and the sandbox of every call here: calls with another setting share no server with `ready`. */
function from(world: World): object {
	return { cwd: world.root, sandbox: "off" };
}

function hoverCall(world: World, id: number | string): object {
	return { id, method: "hover", params: { ...from(world), input: { file: "a.go", line: 1, column: 1 } } };
}

/** The server's own answer, unabridged: `hover` cuts a long one. */
function rawCall(world: World, id: number): object {
	const params = { position: { line: 0, character: 0 } };
	return { id, method: "request", params: { ...from(world), file: "a.go", method: hover, params } };
}

function statusCall(world: World, id: number | string, text = ""): object {
	return { id, method: "status", params: { ...from(world), input: {}, text } };
}

/** Sends bytes piece by piece and returns the first answer. */
async function inPieces(world: World, pieces: readonly Uint8Array[]): Promise<string> {
	const socket = net.connect(world.socket() ?? "").setNoDelay(true);
	let text = "";
	socket.setEncoding("utf8").on("data", (chunk: string) => {
		text += chunk;
		// Unanswered, each of the daemon's own requests takes two seconds.
		for (const [, id] of chunk.matchAll(/"id":("[^"]+"|\d+),"method":/g))
			socket.write(`{"jsonrpc":"2.0","id":${id},"result":null}\n`);
	});
	socket.on("error", () => {});
	for (const piece of pieces) {
		socket.write(piece);
		// The pause is long enough for each piece to be read by itself: pieces that come together are one.
		await pause(3);
	}
	const answer = () => text.split("\n").find((one) => /"(result|error)":/.test(one));
	await waitUntil("an answer comes", () => answer() !== undefined && text.endsWith("\n"), 10_000);
	socket.destroy();
	return answer() ?? "";
}

async function ready(world: World): Promise<{ readonly caller: Caller; readonly pid: number }> {
	const caller = await world.connect();
	must(found(await caller.check("a.go")) === 1, "not well before the fault");
	return { caller, pid: world.daemon() };
}

export const wire: readonly Row[] = [
	{
		id: "B1",
		title: "garbage, empty lines, binary, 1 MB without a line end",
		run: async (world) => {
			world.fake("gopls", {});
			const { caller, pid } = await ready(world);
			for (const garbage of ["hello\n", "5\n", "GET / HTTP/1.1\r\n\r\n", Buffer.from([0xff, 0xfe, 0x00, 0x0a])])
				await speak(world.ws, garbage);
			const output = await speak(world.ws, `\n\n  \n${line(statusCall(world, 7))}`, /\n/);
			must(/"id":7/.test(output), `empty lines: ${shown(output)}`);
			const half = net.connect(world.socket() ?? "").on("error", () => {});
			half.write("x".repeat(1 << 20));
			must(found(await caller.check("a.go")) === 1, "another connection was disturbed");
			half.destroy();
			must(world.daemon() === pid, "it is another daemon");
			return "";
		},
	},
	{
		id: "B2",
		title: "a line over the cap, deep JSON, __proto__, malformed and equal ids, an array",
		run: async (world) => {
			world.fake("gopls", {});
			const { caller, pid } = await ready(world);
			const before = holdingsOf(pid);
			for (let i = 0; i < 3; i++) await speak(world.ws, "x".repeat(17 << 20));
			await speak(world.ws, `${"[".repeat(8_000_000)}\n`);
			await speak(world.ws, `{"id":1,"method":"status","params":${'{"a":'.repeat(2_000_000)}\n`);
			await speak(world.ws, line([statusCall(world, 1)]));
			const polluted = `{"id":1,"method":"status","__proto__":{"polluted":1},"params":{"cwd":${JSON.stringify(world.root)},"input":{},"__proto__":{"polluted":1}}}\n`;
			must(/"id":1/.test(await speak(world.ws, polluted, /\n/)), "__proto__ ends the connection");
			must(!shown(await caller.ask("status", {})).includes("polluted"), "a prototype was polluted");
			for (const id of [2 ** 53, -1, 0, "text", 1.5]) {
				const output = await speak(world.ws, line(statusCall(world, id)), /\n/);
				must(output.includes(`"id":${JSON.stringify(id)}`), `id ${id}: ${shown(output)}`);
			}
			// The answers cannot be told apart: one is enough, and the connection must stay open.
			const equal = line(statusCall(world, 5)) + line(statusCall(world, 5)) + line(statusCall(world, 6));
			must(/"id":6/.test(await speak(world.ws, equal, /"id":6/)), "equal ids end the connection");
			return backTo(pid, before, 60);
		},
	},
	{
		id: "B3",
		title: "one byte at a time, UTF-8 split at every offset, 100 calls in one write",
		run: async (world) => {
			world.fake("gopls", {});
			world.write("名前 🚀.go", "package a // WRONG\n");
			await ready(world);
			const call = { id: 1, method: "check", params: { ...from(world), input: { files: ["名前 🚀.go"] } } };
			const bytes = Buffer.from(line(call));
			const whole = withoutTimes(await inPieces(world, [bytes]));
			must(/名前 🚀/.test(whole) && /"fresh"/.test(whole), `whole: ${shown(whole)}`);
			const one = withoutTimes(
				await inPieces(
					world,
					Array.from(bytes, (byte) => Uint8Array.of(byte)),
				),
			);
			must(one === whole, `one byte at a time: ${shown(one)}`);
			const start = bytes.indexOf("名");
			for (let at = start; at < start + 18; at++) {
				const cut = withoutTimes(await inPieces(world, [bytes.subarray(0, at), bytes.subarray(at)]));
				must(cut === whole, `split at ${at}: ${shown(cut)}`);
			}
			const calls = Array.from({ length: 100 }, (_, id) => line(statusCall(world, id))).join("");
			const answers = await speak(world.ws, calls, /(.*\n){100}/);
			const ids = new Set(answers.match(/"id":\d+,/g));
			must(ids.size === 100 || new Set(answers.match(/"id":\d+/g)).size === 100, `${ids.size} of 100 answered`);
			return "18 splits";
		},
	},
	{
		id: "B4",
		title: "the client disconnects in mid-request: close, half-close, kill -9",
		run: async (world) => {
			const gopls = world.fake("gopls", { on: [{ method: hover, do: [{ never: true }] }] });
			const { pid } = await ready(world);
			const before = holdingsOf(pid);
			const rounds = 60;
			for (let round = 0; round < rounds; round++) {
				const seen = gopls.received(hover).length;
				const socket = net.connect(world.socket() ?? "").on("error", () => {});
				socket.write(line(hoverCall(world, 1)));
				await waitUntil("the request is with the server", () => gopls.received(hover).length > seen);
				if (round % 2) socket.destroy();
				else socket.end();
			}
			const client = spawn(process.execPath, ["-e", clientProgram(world)], { env: { ...world.env }, stdio: "ignore" });
			await waitUntil("the request is with the server", () => gopls.received(hover).length > rounds);
			client.kill("SIGKILL");
			await waitUntil(
				`${rounds + 1} requests are cancelled`,
				() => gopls.received("$/cancelRequest").length === rounds + 1,
				10_000,
			).catch(() => {
				throw new Error(`${gopls.received("$/cancelRequest").length} of ${rounds + 1} were cancelled upstream`);
			});
			return `${rounds + 1} rounds of 200; ${await backTo(pid, before)}`;
		},
	},
	{
		id: "B5",
		title: "a client that never reads 100 MB of answers",
		run: async (world) => {
			const big = { contents: { kind: "plaintext", value: "x".repeat(1 << 20) } };
			world.fake("gopls", { on: [{ method: hover, do: [{ reply: big }] }] });
			const { caller, pid } = await ready(world);
			await caller.hover("a.go");
			const before = holdingsOf(pid);
			const deaf = net.connect(world.socket() ?? "").on("error", () => {});
			let dropped = false;
			deaf.once("close", () => {
				dropped = true;
			});
			deaf.pause();
			let most = 0;
			for (let i = 0; i < 100; i++) {
				deaf.write(line(rawCall(world, i)));
				await pause(15);
				most = Math.max(most, holdingsOf(pid).megabytes);
			}
			for (let i = 0; i < 20; i++) {
				await pause(100);
				most = Math.max(most, holdingsOf(pid).megabytes);
			}
			must(found(await caller.check("a.go")) === 1, "another caller was not served");
			const connections = connectionsOf(pid);
			deaf.resume();
			await pause(300);
			deaf.destroy();
			const more = most - before.megabytes;
			must(dropped, `the peer was not dropped; the daemon took ${more} MB more (${connections} descriptors)`);
			return `dropped; at most ${more} MB more meanwhile; ${await backTo(pid, before, 40)}`;
		},
	},
	{
		id: "B6",
		title: "300 connections that send a byte now and then",
		run: async (world) => {
			world.fake("gopls", {});
			const { pid } = await ready(world);
			const before = holdingsOf(pid);
			const sockets = Array.from({ length: 300 }, () => net.connect(world.socket() ?? "").on("error", () => {}));
			let open = sockets.length;
			for (const socket of sockets)
				socket.once("close", () => {
					open--;
				});
			const drip = setInterval(() => {
				for (const socket of sockets) if (socket.writable) socket.write("{");
			}, 1000);
			try {
				await pause(500);
				const { value, ms } = await timed(goodClient(world));
				must(value, "the 301st client was not served");
				must(ms < 1500, `the 301st client was served after ${ms} ms`);
				await waitUntil("the hello's deadline closes them", () => open === 0, 40_000).catch(() => {
					throw new Error(`${open} of 300 connections without a hello are open after 40 s`);
				});
			} finally {
				clearInterval(drip);
				for (const socket of sockets) socket.destroy();
			}
			return backTo(pid, before);
		},
	},
	{
		id: "B7",
		title: "cancelled at 0, 1, 10, 100 ms",
		run: async (world) => {
			world.fake("gopls", { on: [{ method: hover, do: [{ delay: 600 }, { default: true }] }] });
			const { caller } = await ready(world);
			const results: string[] = [];
			for (const after of [0, 1, 10, 100]) {
				const { id, answer } = caller.send("hover", (hoverCall(world, 0) as { params: object }).params);
				if (after > 0) await pause(after);
				const began = performance.now();
				caller.cancel(id);
				const code = await codeOf(answer);
				const ms = Math.round(performance.now() - began);
				must(/LSP_CANCELLED|-32800/.test(code), `cancelled at ${after} ms: ${code} after ${ms} ms`);
				must(ms < 300, `cancelled at ${after} ms: reported after ${ms} ms`);
				results.push(`${ms} ms`);
			}
			// A second answer to one of them would be received by the caller meanwhile (O1).
			await pause(1200);
			return results.join(", ");
		},
	},
	{
		id: "B8",
		title: "an answer of 50 MB",
		run: async (world) => {
			const location = (line: number) => ({
				uri: `file://${world.root}/a.go`,
				range: { start: { line, character: 0 }, end: { line, character: 1 } },
			});
			const locations = Array.from({ length: 400_000 }, (_, i) => location(i));
			const megabytes = Math.round(JSON.stringify(locations).length / (1 << 20));
			world.fake("gopls", { on: [{ method: "textDocument/references", do: [{ reply: locations }] }] });
			const { caller, pid } = await ready(world);
			await caller.check("probe.json");
			const before = holdingsOf(pid);
			const asked = caller.ask<{ total: number; places: unknown[] }>(
				"references",
				{ file: "a.go", line: 1, column: 1, declaration: true },
				60_000,
			);
			let slowest = 0;
			let done = false;
			void asked.finally(() => {
				done = true;
			});
			while (!done) slowest = Math.max(slowest, (await timed(caller.check("probe.json"))).ms);
			const { total, places: shownPlaces } = await asked;
			must(shownPlaces.length <= 200, `${shownPlaces.length} places were reported`);
			must(total === 400_000, `the whole number is reported as ${total}`);
			must(slowest < 4000, `O7: a neighbour waited ${slowest} ms`);
			return `${megabytes} MB, reported 200 of 400000; a neighbour at most ${slowest} ms; ${await backTo(pid, before, 250)}`;
		},
	},
];

function connectionsOf(pid: number): number {
	return holdingsOf(pid).descriptors;
}

async function goodClient(world: World): Promise<boolean> {
	const caller = await Caller.connect({
		socket: world.socket() ?? "",
		cwd: world.root,
		env: world.env,
		odd: (what) => void world.violations.push(what),
	});
	const report = await caller.check("a.go");
	caller.close();
	return found(report) === 1;
}

function clientProgram(world: World): string {
	const call = JSON.stringify(line(hoverCall(world, 1)));
	return `require("net").connect(${JSON.stringify(world.socket())}).write(${call}); setInterval(() => {}, 1000)`;
}

/** An answer without the parts that differ from one run to the next. */
function withoutTimes(text: string): string {
	return text.replaceAll(/"ms":[\d.]+/g, "");
}
