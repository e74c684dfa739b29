import type { AnyOperation } from "../operation.ts";
import { capabilities } from "./capabilities.ts";
import { definition } from "./definition.ts";
import { check, diagnostics } from "./diagnostics.ts";
import { doctor } from "./doctor.ts";
import { close, filesChanged, open } from "./documents.ts";
import { folders } from "./folders.ts";
import { hover } from "./hover.ts";
import { logLevel } from "./log-level.ts";
import { references } from "./references.ts";
import { restart, servers, status } from "./servers.ts";
import { start } from "./start.ts";
import { symbols } from "./symbols.ts";

/** Every operation; the order is that of `--help`, of the tools and of the README. */
export const operations: readonly AnyOperation[] = [
	check,
	diagnostics,
	hover,
	definition,
	references,
	symbols,
	capabilities,
	servers,
	doctor,
	status,
	start,
	restart,
	open,
	close,
	folders,
	filesChanged,
	logLevel,
];
