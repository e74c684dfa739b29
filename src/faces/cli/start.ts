#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireWithCache } from "../../util/code-cache.ts";
import { ownDirectory } from "../../util/xdg.ts";

const here = dirname(fileURLToPath(import.meta.url));
/** Texts that the build has written, by the words that ask for them: no operation is loaded for them. */
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
	// An agent waits for its hooks: they load nothing else.
	const bundle = word === "hook" && !host.startsWith("-") ? "hook-main.cjs" : "cli-main.cjs";
	requireWithCache(join(here, bundle));
} else {
	// A reader that has closed its end (`| head`) has read enough.
	process.stdout.on("error", () => {});
	process.stdout.write(readFileSync(join(here, text)));
}

/** What packages add stands in no text of the build. */
function namesPackages(): boolean {
	try {
		return readFileSync(join(ownDirectory("XDG_CONFIG_HOME"), "config.json"), "utf8").includes('"extensions"');
	} catch {
		return false;
	}
}
