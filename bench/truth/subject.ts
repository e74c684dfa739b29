import type { Diagnostic } from "../../src/contract/check-report.ts";
import type { Files } from "../../test/support/workspace.ts";
import type { Oracle } from "../oracle.ts";
import type { Language } from "./change.ts";

/** A project under a compiler: what the bench edits, and who judges it. */
export interface Subject {
	/** The name of its rows in the table. */
	readonly name: string;
	/** How many edits it gets. */
	readonly edits: number;
	readonly language: Language;
	/** The files that are edited and compared, with the project's own settings; text only. */
	readonly files: Files;
	/** True for a file whose errors count: one that the compiler reads as part of the project. */
	readonly isSource: (path: string) => boolean;
	/** False for files that are neither deleted nor moved. */
	readonly mayGo?: (path: string) => boolean;
	/** False for errors that the compiler has elsewhere or finds only later; of a project that compiles there are none. */
	readonly isCompilers?: (diagnostic: Diagnostic) => boolean;
	/** Of the caller, beside those of this process. */
	readonly env?: Readonly<Record<string, string>>;
	/** False where the compiler gives its errors no codes: lines alone are compared. */
	readonly codes?: false;
	/** Puts in place what is no text of the project. */
	readonly prepare?: (root: string) => void;
	/** Programs that have to be found under a name, in front of all others: name to path. */
	readonly programs?: Readonly<Record<string, string>>;
	/** Asked after every edit. */
	readonly oracle: (root: string) => Oracle;
	/** The compiler as people run it, where `oracle` is a quicker form of it: both have to agree at every checkpoint. */
	readonly judge?: (root: string) => Oracle;
}
