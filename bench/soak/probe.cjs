// Preloaded into a daemon (node --require): at SIGUSR2 it collects garbage and writes its heap as JSON into the file that
// PI_LSP_PROBE names: { heapMegabytes, largest: sizes of the largest maps and sets }.
const { renameSync, writeFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const { setFlagsFromString } = require("node:v8");
const { runInNewContext } = require("node:vm");

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc");

/** The sizes of every living object of a class, by the debugger of this very thread, whose posts are answered at once. */
function sizesOf(session, name) {
	let sizes = [];
	const post = (method, params, then) =>
		session.post(method, params, (error, answer) => {
			if (error) throw error;
			then(answer);
		});
	post("Runtime.evaluate", { expression: `${name}.prototype`, objectGroup: "probe" }, ({ result: { objectId } }) =>
		post("Runtime.queryObjects", { prototypeObjectId: objectId, objectGroup: "probe" }, ({ objects }) =>
			post(
				"Runtime.callFunctionOn",
				{
					objectId: objects.objectId,
					functionDeclaration: "function () { return this.map(({ size }) => size).sort((a, b) => b - a).slice(0, 20) }",
					returnByValue: true,
				},
				({ result }) => {
					sizes = result.value;
				},
			),
		),
	);
	session.post("Runtime.releaseObjectGroup", { objectGroup: "probe" });
	return sizes;
}

process.on("SIGUSR2", () => {
	collect();
	const heapMegabytes = process.memoryUsage().heapUsed / 1024 / 1024;
	const session = new Session();
	session.connect();
	const largest = [...sizesOf(session, "Map"), ...sizesOf(session, "Set")].sort((a, b) => b - a).slice(0, 10);
	session.disconnect();
	writeFileSync(`${process.env.PI_LSP_PROBE}.draft`, JSON.stringify({ heapMegabytes, largest }));
	renameSync(`${process.env.PI_LSP_PROBE}.draft`, process.env.PI_LSP_PROBE);
});
