import type { ChildProcessByStdio } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import type { Readable, Writable } from "node:stream";

/** A program that communicates by its standard input and output. */
type Spoken = ChildProcessByStdio<Writable, Readable, Readable | null>;

/** A server of another process: each connection to `path` gets a program of its own, and is added to `sockets`. */
export async function listenAt(path: string, sockets: Socket[], start: () => Spoken): Promise<Server> {
	const server = createServer((socket) => {
		sockets.push(socket);
		const child = start();
		socket.pipe(child.stdin, { end: false });
		child.stdout.pipe(socket);
		socket.on("error", () => {}).on("close", () => child.kill());
		child.stdin.on("error", () => {});
	}).listen(path);
	await once(server, "listening");
	return server;
}
