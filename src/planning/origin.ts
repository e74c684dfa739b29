import { isInside } from "../util/paths.ts";
import type { Move } from "../writer/change.ts";

export function originOf(path: string, moves: readonly Move[]): string {
	return moves.reduceRight((at, { from, to }) => (isInside(at, to) ? from + at.slice(to.length) : at), path);
}
