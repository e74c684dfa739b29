// Preloaded into a process that writes changes (node --require): counts its calls of the disk that change something, in
// `steps` of the directory PI_LSP_KILLING, and before the one that `order.json` names there kills a process with SIGKILL:
// { "at": 3, "pid": 1234 }, without `pid` itself.
const disk = require("node:fs");
const { join } = require("node:path");

const { readFileSync, writeFileSync } = disk;

const directory = process.env.PI_LSP_KILLING;
/** The files next to those of a change, and its record. */
const ours = /\/\.pi-lsp-u\d+-|\/changes\/u\d+(?:\/|$)/;
let count = 0;

function step() {
	count++;
	writeFileSync(join(directory, "steps"), String(count));
	const { at, pid = process.pid } = JSON.parse(readFileSync(join(directory, "order.json"), "utf8"));
	if (count === at) process.kill(pid, "SIGKILL");
}

for (const name of ["open", "openSync", "link", "linkSync", "rename", "renameSync", "unlink"]) {
	const own = disk[name];
	disk[name] = (...args) => {
		const isRead = name.startsWith("open") && typeof args[1] === "number";
		if (!isRead && args.some((each) => typeof each === "string" && ours.test(each))) step();
		return own(...args);
	};
}
