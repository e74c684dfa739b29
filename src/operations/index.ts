import type { AnyOperation } from "../operation.ts";
import { definition } from "./definition.ts";
import { check, diagnostics } from "./diagnostics.ts";
import { doctor } from "./doctor.ts";
import { hover } from "./hover.ts";
import { references } from "./references.ts";
import { restart, status } from "./servers.ts";
import { symbols } from "./symbols.ts";

/** Every operation; the order is that of `--help`, of the tools and of the README. */
export const operations: readonly AnyOperation[] = [
	check,
	diagnostics,
	hover,
	definition,
	references,
	symbols,
	doctor,
	status,
	restart,
];
