import type { Diagnostic } from "../../src/contract/check-report.ts";
import type { Files } from "../../test/support/workspace.ts";
import type { Oracle } from "../oracle.ts";
import type { Language } from "./change.ts";

/** A project to edit, and its compiler. */
export interface Subject {
	/** As shown in the table. */
	readonly name: string;
	readonly edits: number;
	readonly language: Language;
	/** The files that are edited and compared, and the project's settings; text only. */
	readonly files: Files;
	/** Whether the compiler reads a file as part of the project, so that its errors count. */
	readonly isSource: (path: string) => boolean;
	/** Whether a file may be deleted or moved. */
	readonly mayGo?: (path: string) => boolean;
	/** False for errors that the compiler reports elsewhere or only later; a project that compiles must have none of them. */
	readonly isCompilers?: (diagnostic: Diagnostic) => boolean;
	/** Variables of the caller, added to those of this process. */
	readonly env?: Readonly<Record<string, string>>;
	/** False where the compiler's errors have no codes: only lines are compared. */
	readonly codes?: false;
	/** Creates what is not a text file of the project. */
	readonly prepare?: (root: string) => void;
	/** Paths of programs by name, first on the PATH. */
	readonly programs?: Readonly<Record<string, string>>;
	/** Runs after every edit. */
	readonly oracle: (root: string) => Oracle;
	/** The usual compiler, where `oracle` is a quicker form of it: both have to agree at every checkpoint. */
	readonly judge?: (root: string) => Oracle;
}
