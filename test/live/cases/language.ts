import type { Severity } from "../../../src/contract/check-report.ts";
import type { Files } from "../../support/workspace.ts";

/** One server driven for real: a project, a file that is right, and the same file with one error. */
export interface Language {
	/** The server's id; each has one case. */
	readonly server: string;
	/** The strategy by which its answers are exact, as `check` names it. */
	readonly strategy: string;
	/** The program without which the case is skipped; none for bundled servers. */
	readonly program?: string;
	readonly prerequisite?: string;
	/** True if it runs code of the repository. */
	readonly trust?: boolean;
	/**
	 * True if it publishes nothing for a file that never had errors: the error comes first, and clean is proven after
	 * it.
	 */
	readonly silent?: boolean;
	/** Packages of the servers' folder that the project needs in its own node_modules. */
	readonly packages?: readonly string[];
	/** The query for servers that report no errors. */
	readonly severity?: Severity;
	readonly project: Files;
	readonly file: string;
	readonly right: string;
	readonly wrong: string;
	/** The error's position, 1-based, and a part of its message or its code. */
	readonly line: number;
	readonly says: string;
}
