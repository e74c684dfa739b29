// A language server that follows its script, byte by byte: node fake-server.mjs SCRIPT
// SCRIPT is JSON, or the path of a JSON file; `script.ts` next to this file declares its fields.
//
// Without a script it is a small honest server: it keeps the texts that it is sent and finds an error in every line
// that holds the word WRONG or begins with `)]}`, so that a test knows the truth for any content.
import { spawn } from "node:child_process";
import { appendFileSync, closeSync, existsSync, readFileSync, writeSync } from "node:fs";
import process from "node:process";

const [given = "{}"] = process.argv.slice(2);
const script = JSON.parse(existsSync(given) ? readFileSync(given, "utf8") : given);
const texts = new Map();
const counts = new Map();
const published = new Map();
/** The texts that were published once, each with its URI. */
const built = new Set();
let pieces = Number.POSITIVE_INFINITY;
let asked = 0;
/** True if it reads nothing any more, not even the rest of the last packet. */
let deaf = false;

function record(entry) {
	if (script.record) appendFileSync(script.record, `${JSON.stringify({ pid: process.pid, ...entry })}\n`);
}

// All output is synchronous and in order: a crash leaves the output before it.
function writeAll(descriptor, bytes) {
	for (let at = 0; at < bytes.length; ) {
		try {
			at += writeSync(descriptor, bytes, at, Math.min(pieces, bytes.length - at));
		} catch (error) {
			if (error.code === "EPIPE") process.exit(141);
			if (error.code !== "EAGAIN") throw error;
			Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
		}
	}
}

function send(message) {
	const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
	writeAll(1, Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]));
}

/** The actions of a step; `message` is from the client, undefined while starting. */
const actions = {
	reply: ({ reply }, message) => send({ id: message.id, result: reply }),
	default: (_, message) => send({ id: message.id, result: honest(message) }),
	echo: (_, message) => send({ id: message.id, result: echoed(message) }),
	error: ({ error }, message) => send({ id: message.id, error }),
	never: () => {},
	delay: ({ delay }) => new Promise((resolve) => setTimeout(resolve, delay)),
	waitFor: async ({ waitFor }) => {
		while (!existsSync(waitFor)) await new Promise((resolve) => setTimeout(resolve, 10));
	},
	send: ({ send: message }) => send(message),
	raw: ({ raw }) => writeAll(1, Buffer.from(raw, "utf8")),
	bytes: ({ bytes }) => writeAll(1, Buffer.from(bytes, "hex")),
	split: ({ split }) => {
		pieces = split;
	},
	notify: ({ notify: method, params, times = 1 }) => {
		for (let i = 0; i < times; i++) send({ method, params });
	},
	ask: ({ ask: method, params, id = `fake-${++asked}` }) => send({ id, method, params }),
	stderr: ({ stderr, times = 1 }) => writeAll(2, Buffer.from(stderr.repeat(times))),
	crash: ({ crash }) => (typeof crash === "number" ? process.exit(crash) : process.kill(process.pid, crash)),
	stopReading: () => {
		deaf = true;
		process.stdin.pause();
	},
	close: ({ close }) => {
		if (close === "stdin") process.stdin.destroy();
		closeSync(["stdin", "stdout", "stderr"].indexOf(close));
		setInterval(() => {}, 1 << 30);
	},
	ignoreTerm: () => process.on("SIGTERM", () => record({ did: "ignored SIGTERM" })),
	stay: () => {
		setInterval(() => {}, 1 << 30);
		process.stdin.removeListener("end", leave);
	},
	grandchild: ({ grandchild }) => {
		const stubborn = grandchild === "stubborn" ? 'process.on("SIGTERM", () => {});' : "";
		const child = spawn(process.execPath, ["-e", `${stubborn} setInterval(() => {}, 1 << 30)`], { stdio: "ignore" });
		record({ did: "grandchild", child: child.pid });
	},
};

async function perform(steps, message) {
	for (const step of steps) {
		const name = Object.keys(step).find((key) => Object.hasOwn(actions, key));
		if (!name) throw new Error(`no such step: ${JSON.stringify(step)}`);
		await actions[name](step, message);
	}
}

/** The number of this server among those with this record, counted from 1. */
function generationNow() {
	if (!script.record || !existsSync(script.record)) return 1;
	return readFileSync(script.record, "utf8").split('"did":"start"').length;
}

/** The first rule that applies to this method now; `nth` counts the messages of a method from 1. */
function ruleFor({ method, params }) {
	const nth = (counts.get(method) ?? 0) + 1;
	counts.set(method, nth);
	const fits = (wanted, number) => wanted === undefined || wanted === number;
	const judges = ({ file, by, has }) =>
		params?.textDocument?.uri.endsWith(file) &&
		[...texts].some(([uri, text]) => uri.endsWith(by) && text.includes(has));
	return script.on?.find(
		(rule) =>
			rule.method === method &&
			fits(rule.nth, nth) &&
			fits(rule.generation, generation) &&
			(rule.judges === undefined || judges(rule.judges)),
	);
}

function honest({ method, params }) {
	switch (method) {
		case "initialize":
			return {
				serverInfo: { name: "fake", version: "1.0.0" },
				capabilities: {
					textDocumentSync: 1,
					diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false },
					hoverProvider: true,
					definitionProvider: true,
					referencesProvider: true,
					...script.capabilities,
				},
			};
		case "textDocument/diagnostic":
			return { kind: "full", items: wrongLines(texts.get(params.textDocument.uri) ?? "") };
		case "textDocument/hover":
			return { contents: { kind: "plaintext", value: texts.get(params.textDocument.uri) ?? "" } };
		default:
			return null;
	}
}

/** A hover that contains the request, so that an answer to another request is detected. */
function echoed({ params }) {
	const { line, character } = params.position;
	return { contents: `${line + 1}:${character + 1} ${texts.get(params.textDocument.uri) ?? ""}` };
}

function wrongLines(text) {
	return text.split(/\r\n|\n|\r/).flatMap((content, line) => {
		const character = content.search(/WRONG|^\)\]\}/);
		if (character < 0) return [];
		const range = { start: { line, character }, end: { line, character: character + 5 } };
		return [{ range, severity: 1, code: "wrong", source: "fake", message: "This is WRONG." }];
	});
}

function keepText({ method, params }) {
	if (method === "textDocument/didOpen") texts.set(params.textDocument.uri, params.textDocument.text);
	// clangd is notified of a header by a change without content.
	else if (method === "textDocument/didChange" && params.contentChanges.length > 0)
		texts.set(params.textDocument.uri, params.contentChanges.at(-1).text);
	else if (method === "textDocument/didClose") texts.delete(params.textDocument.uri);
}

/**
 * What a server does that is never asked; `changes` tells nothing where the result is what it was, `texts` nothing of a
 * text that was sent before, as clangd after a change and its reversal, unless it is to be built from scratch.
 */
function publish({ method, params }) {
	if (!script.publishes || !["textDocument/didOpen", "textDocument/didChange"].includes(method)) return;
	const { uri, version } = params.textDocument;
	const text = `${uri} ${texts.get(uri)}`;
	if (script.publishes === "texts" && built.has(text) && !params.forceRebuild) return;
	built.add(text);
	const diagnostics = wrongLines(texts.get(uri));
	const same = JSON.stringify(published.get(uri)) === JSON.stringify(diagnostics);
	published.set(uri, diagnostics);
	if (script.publishes === "changes" && same) return;
	const versioned = ["versioned", "texts"].includes(script.publishes) ? { version } : {};
	send({ method: "textDocument/publishDiagnostics", params: { uri, ...versioned, diagnostics } });
}

async function received(message) {
	record({ got: message });
	if (message.method === undefined) return;
	keepText(message);
	publish(message);
	const rule = ruleFor(message);
	if (rule) await perform(rule.do, message);
	else if (message.method === "exit") process.exit(0);
	else if (message.id !== undefined) send({ id: message.id, result: honest(message) });
}

function leave() {
	process.exit(0);
}

let pending = Buffer.alloc(0);

function feed(chunk) {
	if (script.record) appendFileSync(`${script.record}.bytes`, chunk);
	pending = Buffer.concat([pending, chunk]);
	while (!deaf) {
		const end = pending.indexOf("\r\n\r\n");
		if (end < 0) return;
		const length = Number(/content-length: *(\d+)/i.exec(pending.toString("latin1", 0, end))?.[1]);
		if (pending.length < end + 4 + length) return;
		const body = pending.toString("utf8", end + 4, end + 4 + length);
		pending = pending.subarray(end + 4 + length);
		void received(JSON.parse(body));
	}
}

const generation = generationNow();
record({ did: "start" });
await perform(script.start ?? []);
process.stdin.on("data", feed);
if (!(script.start ?? []).some((step) => step.stay)) process.stdin.on("end", leave);
