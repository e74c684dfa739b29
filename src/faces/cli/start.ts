#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireWithCache } from "../../util/code-cache.ts";
import { ownDirectory } from "../../util/xdg.ts";

const here = dirname(fileURLToPath(import.meta.url));
/** These texts of the build load no operation. */
const texts: Readonly<Record<string, string>> = {
	help: "help.txt",
	"--help": "help.txt",
	"-h": "help.txt",
	"--version": "version.txt",
	"-v": "version.txt",
};

// `help COMMAND` is `COMMAND --help`.
if (process.argv[2] === "help" && process.argv.length > 3) process.argv.splice(2, 2, process.argv[3] ?? "", "--help");
const [, , word = "help", host = "-"] = process.argv;
const text = Object.hasOwn(texts, word) ? texts[word] : undefined;
if (text === undefined || (text === "help.txt" && namesPackages())) {
	// Agents wait for hooks, which load nothing else.
	const bundle = word === "hook" && !host.startsWith("-") ? "hook-main.cjs" : "cli-main.cjs";
	requireWithCache(join(here, bundle));
} else {
	// The reader may close its end (`| head`).
	process.stdout.on("error", () => {});
	process.stdout.write(readFileSync(join(here, text)));
}

function namesPackages(): boolean {
	try {
		return readFileSync(join(ownDirectory("XDG_CONFIG_HOME"), "config.json"), "utf8").includes('"extensions"');
	} catch {
		return false;
	}
}
