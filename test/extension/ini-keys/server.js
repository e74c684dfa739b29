// A language server for INI files, over stdio, without dependencies: a key that stands twice in its section is an error, and
// hover says in which section a key stands.
import process from "node:process";

const texts = new Map();
let received = Buffer.alloc(0);

process.stdin.on("data", (bytes) => {
	received = Buffer.concat([received, bytes]);
	for (;;) {
		const end = received.indexOf("\r\n\r\n");
		if (end < 0) return;
		const length = Number(/content-length: (\d+)/i.exec(received.subarray(0, end).toString("latin1"))?.[1]);
		if (received.length < end + 4 + length) return;
		const message = JSON.parse(received.subarray(end + 4, end + 4 + length).toString());
		received = received.subarray(end + 4 + length);
		take(message);
	}
});

function take({ id, method, params }) {
	if (method === "initialize") answer(id, { capabilities: { textDocumentSync: 1, hoverProvider: true } });
	else if (method === "textDocument/didOpen") keep(params.textDocument, params.textDocument.text);
	else if (method === "textDocument/didChange") keep(params.textDocument, params.contentChanges.at(-1).text);
	else if (method === "textDocument/didClose") texts.delete(params.textDocument.uri);
	else if (method === "textDocument/hover") answer(id, hover(params));
	else if (method === "shutdown") answer(id, null);
	else if (method === "exit") process.exit(0);
	else if (id !== undefined) send({ id, error: { code: -32601, message: `${method} is not known` } });
}

function keep({ uri, version }, text) {
	texts.set(uri, text);
	const seen = new Set();
	const diagnostics = keysOf(text).flatMap(({ key, section, line }) => {
		const name = `${section}.${key}`;
		if (!seen.has(name)) return seen.add(name) && [];
		const range = { start: { line, character: 0 }, end: { line, character: key.length } };
		const message = `The key ${key} stands twice in [${section}].`;
		return [{ range, severity: 1, code: "duplicate-key", source: "ini-keys", message }];
	});
	send({ method: "textDocument/publishDiagnostics", params: { uri, version, diagnostics } });
}

function hover({ textDocument, position }) {
	const found = keysOf(texts.get(textDocument.uri) ?? "").find(({ line }) => line === position.line);
	return found ? { contents: { kind: "markdown", value: `\`${found.key}\` of [${found.section}]` } } : null;
}

function keysOf(text) {
	let section = "";
	return text.split(/\r?\n/).flatMap((row, line) => {
		section = /^\[(.*)\]/.exec(row)?.[1] ?? section;
		const key = /^([^;#[=\s]+)\s*=/.exec(row)?.[1];
		return key ? [{ key, section, line }] : [];
	});
}

function answer(id, result) {
	send({ id, result });
}

function send(message) {
	const body = JSON.stringify({ jsonrpc: "2.0", ...message });
	process.stdout.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}
