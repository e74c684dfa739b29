import type { FileIndex } from "../impact/index/file-index.ts";
import type { Pool } from "../pool/pool.ts";
import type { EnvironmentSource } from "../pool/server-entry.ts";
import type { Route } from "../routing/locate.ts";
import type { EditSession } from "./edit-session.ts";
import type { FileIndexes } from "./known-states.ts";
import type { ProvenEdit } from "./prove-edit.ts";

export interface AffectedFilesContext {
	readonly pool: Pool;
	readonly route: Route;
	readonly workspace: string;
	readonly session: EditSession;
	readonly indexes: FileIndexes;
}

export interface AffectedFilesCall {
	readonly env: EnvironmentSource;
	readonly maxServerMs: number;
	/** False if the file has no other servers. */
	readonly elsewhere: (path: string, edit: ProvenEdit | undefined) => Promise<boolean>;
	readonly judgedBy: (schemas: ReadonlySet<string>, index: FileIndex) => Promise<readonly string[]>;
}

export interface Search {
	/** False once all files at a distance of one are found. */
	isNear: boolean;
}

export interface Searching {
	readonly call: AffectedFilesCall;
	readonly search: Search;
	readonly except: readonly string[];
	readonly edit: ProvenEdit | undefined;
}
