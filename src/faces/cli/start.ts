#!/usr/bin/env node
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { requireWithCache } from "../../util/code-cache.ts";

/** Loads cli.ts with the code that V8 compiled at the build. */
requireWithCache(join(dirname(fileURLToPath(import.meta.url)), "cli-main.cjs"));
