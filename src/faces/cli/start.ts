#!/usr/bin/env node
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { requireWithCache } from "../../util/code-cache.ts";

// An agent waits for its hooks: they load nothing else.
const [, , word, host = "-"] = process.argv;
const bundle = word === "hook" && !host.startsWith("-") ? "hook-main.cjs" : "cli-main.cjs";

requireWithCache(join(dirname(fileURLToPath(import.meta.url)), bundle));
