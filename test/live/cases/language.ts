import type { Severity } from "../../../src/contract/check-report.ts";
import type { Files } from "../../support/workspace.ts";

/** One server driven for real: a project, a file that is right, and the same file with one error. */
export interface Language {
	/** The server's id; each stands in one case. */
	readonly server: string;
	/** How its answers are known to be exact, as `check` names it. */
	readonly strategy: string;
	/** The program without which the case is left out; none for servers that come with pi-lsp. */
	readonly program?: string;
	readonly prerequisite?: string;
	/** True if it runs what the repository brings. */
	readonly trust?: boolean;
	/** True if it says nothing of a file that it never called wrong: the error comes first, and clean is proven after it. */
	readonly silent?: boolean;
	/** Packages of the servers' folder that the project needs in its own node_modules. */
	readonly packages?: readonly string[];
	/** For servers that call nothing an error: what is asked for. */
	readonly severity?: Severity;
	readonly project: Files;
	readonly file: string;
	readonly right: string;
	readonly wrong: string;
	/** Where the error is, 1-based, and a piece of its message or its code. */
	readonly line: number;
	readonly says: string;
}
