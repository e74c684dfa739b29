// A language server that accesses files and sockets outside of its workspace: node reaching-server.mjs DEEDS
// DEEDS is JSON, a name for each deed: ["write", PATH], ["read", PATH], ["list", PATH], ["connect", PORT or PATH],
// ["signal", PID]. Its diagnostics of any file have the result of each: "NAME: done", or the code of the system's error.
import { appendFileSync, readdirSync, readFileSync } from "node:fs";
import { connect } from "node:net";
import process from "node:process";

const deeds = {
	write: (path) => appendFileSync(path, "reached\n"),
	read: (path) => void readFileSync(path),
	list: (path) => {
		if (readdirSync(path).length === 0) throw Object.assign(new Error("it is empty"), { code: "EMPTY" });
	},
	connect: (where) =>
		new Promise((resolve, reject) => {
			const socket = connect(where);
			socket.once("connect", resolve).once("error", reject);
			socket.on("close", () => {});
		}),
	signal: (pid) => process.kill(pid, 0),
};

async function outcome([name, what]) {
	try {
		// The server knows its own directories by their variables alone.
		await deeds[name](
			typeof what === "string" ? what.replace(/^\$(\w+)/, (_, variable) => process.env[variable]) : what,
		);
		return "done";
	} catch (error) {
		return error.code ?? error.message;
	}
}

function send(message) {
	const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
	process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
	process.stdout.write(body);
}

async function findings() {
	const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
	const entries = Object.entries(JSON.parse(process.argv[2] ?? "{}"));
	return Promise.all(
		entries.map(async ([name, deed]) => ({ range, severity: 1, message: `${name}: ${await outcome(deed)}` })),
	);
}

async function hear({ id, method }) {
	if (method === "exit") process.exit(0);
	if (id === undefined || method === undefined) return;
	const diagnosticProvider = { interFileDependencies: false, workspaceDiagnostics: false };
	if (method === "initialize") send({ id, result: { capabilities: { textDocumentSync: 1, diagnosticProvider } } });
	else if (method === "textDocument/diagnostic") send({ id, result: { kind: "full", items: await findings() } });
	else send({ id, result: null });
}

let rest = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
	rest = Buffer.concat([rest, chunk]);
	for (;;) {
		const end = rest.indexOf("\r\n\r\n");
		const length = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, end).toString())?.[1]);
		if (end < 0 || rest.length < end + 4 + length) return;
		const body = rest.subarray(end + 4, end + 4 + length);
		rest = rest.subarray(end + 4 + length);
		void hear(JSON.parse(body.toString()));
	}
});
process.stdin.on("end", () => process.exit(0));
