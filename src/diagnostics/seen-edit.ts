import type { VisibleChange } from "../impact/visible-change.ts";
import type { SignatureDifference } from "./signatures.ts";
import type { Proof } from "./sources/prove.ts";

/** An edit of one file, as those around it may see it. */
export interface SeenEdit {
	readonly path: string;
	/** The text before it; undefined where that is not known, or where there was none. */
	readonly before: string | undefined;
	/** True if the file came or went with it. */
	readonly isWhole: boolean;
	readonly change: VisibleChange;
	/** The declarations that are known to have another signature. */
	readonly signatures: readonly SignatureDifference[];
	/** The server's revision before it. */
	readonly revision: number;
	/** When a client that does nothing else would have had the server's answer, by performance.now(). */
	readonly answeredAt: number;
	/** What the server's answer for the edited file proved of others. */
	readonly related: readonly Proof[];
}
