// Loaded first by each node process of a run (node-calls.ts). It writes which process started it, and at its end, by file,
// the lines of the functions that V8 has counted, through the source maps of what compiled them. A process that is killed,
// or a thread that is ended, does not come to that.
"use strict";
const { readFileSync, writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const { SourceMap } = require("node:module");
const { dirname, join, resolve } = require("node:path");
const process = require("node:process");
const { fileURLToPath } = require("node:url");
const { threadId } = require("node:worker_threads");

const { PI_LSP_CALLS: directory, PI_LSP_CALLS_PARENT: parent } = process.env;
const id = `${process.pid}-${threadId}-${Date.now()}`;
const session = new Session();
const found = {};
// A process whose environment another one has made does not belong to the run.
if (directory) begin();

function begin() {
	save(undefined);
	process.env.PI_LSP_CALLS_PARENT = id;
	session.connect();
	ask("Profiler.enable");
	ask("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
	process.on("exit", write);
	// Threads receive no signals.
	if (threadId === 0)
		for (const signal of ["SIGTERM", "SIGINT"])
			process.once(signal, () => {
				write();
				if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
			});
}

function save(calls) {
	writeFileSync(join(directory, id), JSON.stringify({ parent, calls }));
}

function write() {
	const { result } = ask("Profiler.takePreciseCoverage");
	ask("Debugger.enable");
	for (const script of result)
		if (/^(?:file:|\/)/.test(script.url) && !script.url.includes("/node_modules/")) note(script);
	save(found);
}

function note({ url, scriptId, functions }) {
	const path = pathOf(url);
	const { scriptSource: source } = ask("Debugger.getScriptSource", { scriptId });
	const compiled = mapOf(path, source);
	for (const each of [path, ...(compiled?.sources ?? [])]) linesOf(each);
	const starts = [0];
	for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
	for (const { functionName, ranges } of functions) {
		const [{ count, startOffset, endOffset }] = ranges;
		// What holds the whole module, or the fields of a class, holds functions that were not called.
		const isModule = functionName === "" && startOffset < 64 && endOffset > source.length - 64;
		if (count === 0 || isModule || functionName.startsWith("<")) continue;
		let line = starts.findLastIndex((start) => start <= startOffset);
		const next = starts[line + 1] ?? source.length;
		const inside = next + source.slice(next).search(/\S|$/);
		// The first of them may belong to what stands before the function, as a map has no entry for each place.
		for (const offset of [startOffset, ...(inside < endOffset ? [inside] : []), endOffset - 1]) {
			while ((starts[line + 1] ?? Infinity) <= offset) line++;
			// What stands before the first entry of a map is the compiler's own.
			const place = compiled ? compiled.placeOf(line, offset - starts[line]) : { path, line };
			if (place) linesOf(place.path).push(place.line + 1);
		}
	}
}

function linesOf(path) {
	found[path] ??= [];
	return found[path];
}

/** Undefined for what was not compiled, or whose map cannot be read. */
function mapOf(path, source) {
	const [, url] = /^\/\/# sourceMappingURL=(\S+)/.exec(source.slice(source.lastIndexOf("//# sourceMappingURL="))) ?? [];
	if (url === undefined) return undefined;
	try {
		const [, data] = /^data:application\/json[^,]*;base64,(.*)$/.exec(url) ?? [];
		const text = data ? Buffer.from(data, "base64").toString() : readFileSync(resolve(dirname(path), url), "utf8");
		const payload = JSON.parse(text);
		const map = new SourceMap(payload);
		const original = (name) => resolve(dirname(path), payload.sourceRoot ?? "", pathOf(name));
		return {
			sources: payload.sources.map(original),
			placeOf(line, column) {
				const { originalSource, originalLine } = map.findEntry(line, column);
				return originalSource === undefined ? undefined : { path: original(originalSource), line: originalLine };
			},
		};
	} catch {
		return undefined;
	}
}

/** vite-node asks for a fresh copy of a file with words behind its path. */
function pathOf(url) {
	return (url.startsWith("file:") ? fileURLToPath(url) : url).replace(/\?.*$/, "");
}

function ask(method, params) {
	let answer;
	session.post(method, params, (error, result) => {
		if (error) throw new Error(`${method}: ${error.message}`);
		answer = result;
	});
	return answer;
}
