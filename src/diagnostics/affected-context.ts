import type { LanguageServer } from "../lsp/server.ts";
import type { Pool } from "../pool/pool.ts";
import type { Route } from "../routing/locate.ts";
import type { EditSession } from "./edit-session.ts";
import type { ImportIndex } from "./known-states.ts";
import type { ProvenEdit } from "./prove-edit.ts";

export interface AffectedFilesContext {
	readonly pool: Pool;
	readonly route: Route;
	readonly workspace: string;
	readonly session: EditSession;
	readonly importIndex: (server: LanguageServer) => Promise<ImportIndex>;
	/** Milliseconds that the server may spend behind one edit. */
	readonly maxServerMs: number;
	/** Asks the servers of a file that this one is not for; false if there are none. */
	readonly elsewhere: (path: string, edit: ProvenEdit | undefined) => Promise<boolean>;
}
