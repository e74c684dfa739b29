import type { Workspace } from "../../test/support/workspace.ts";
import type { Errors } from "../truth/errors.ts";
import type { BareSide } from "./bare-side.ts";
import type { SeedRules } from "./seeds.ts";

const twofold = ["comment", "formatting", "private body", "comment in another file"] as const;
const quiet = [...twofold, "error in a function body", "error in a function body fixed", "export added"] as const;

/** The effects of an edit that determine its allowed time. */
export const kinds = [
	...quiet,
	"unused export removed",
	"export renamed",
	"export renamed back",
	"type changed",
	"type changed back",
] as const;
export type Kind = (typeof kinds)[number];

/** Kinds that no other file can see, or that cannot break one: only the edited file's own answer may be waited for. */
export const quietKinds: ReadonlySet<Kind> = new Set<Kind>(quiet);

/** Kinds whose inverse is of the same kind. */
export const twofoldKinds: ReadonlySet<Kind> = new Set<Kind>(twofold);

/** One replacement in a file, as a call of pi's edit tool; the file contains the old text once. */
export interface Change {
	readonly file: string;
	readonly oldText: string;
	readonly newText: string;
}

/** An edit with its inverse; `change` makes another text for each number, so that no text occurs twice. */
export interface ScriptedEdit {
	readonly kind: Kind;
	readonly back: Kind;
	readonly change: (n: number) => Change;
}

/** A file that is not edited, and declarations in it to ask about; `before` precedes their names in a line. */
interface Questions {
	readonly file: string;
	readonly before: string;
	readonly symbols: readonly string[];
}

export interface LargeProject {
	/** The project's word on the command line. */
	readonly name: string;
	readonly title: string;
	/** Without this program the project is left out; none for servers that pi-lsp contains. */
	readonly program?: string;
	/** The directory in the cache, fetched and prepared the first time. */
	readonly directory: () => string;
	/** Prepares each copy. */
	readonly settle?: (root: string) => void;
	/** Variables for every program in the project. */
	readonly env?: () => Readonly<Record<string, string>>;
	/** Many other files depend on it. */
	readonly hub: string;
	readonly edits: readonly ScriptedEdit[];
	/** The edit that breaks the most, for the rows `burst`, `hover` and `delay`. */
	readonly breaking: ScriptedEdit;
	/** The name that this edit removes. */
	readonly breakingSymbol: string;
	readonly questions: Questions;
	/** A shell command that changes all sources without changing their meaning. */
	readonly formats?: string;
	/** Whether it has a session of thirty edits. */
	readonly hasLongSession?: boolean;
	readonly isSource: (path: string) => boolean;
	readonly startBare: (ws: Workspace, root: string) => Promise<BareSide>;
	/** The compiler's errors of the project in `root`. */
	readonly judge: (ws: Workspace, root: string) => Promise<Errors>;
	/** The time of a bare client to prove files broken by an edit; without it each is proven in turn. */
	readonly othersMs?: (ws: Workspace, root: string, files: readonly string[]) => Promise<number>;
	/** Whether the compiler's codes equal the server's; else only lines are compared. */
	readonly comparesCodes: boolean;
	/** How declarations of hub files are found and broken. */
	readonly seeds: SeedRules;
}

export function changed(text: string, { file, oldText, newText }: Change): string {
	const at = text.indexOf(oldText);
	if (at < 0 || text.indexOf(oldText, at + 1) >= 0) throw new Error(`${file} does not have this once: ${oldText}`);
	return text.slice(0, at) + newText + text.slice(at + oldText.length);
}

export function inverse({ file, oldText, newText }: Change): Change {
	return { file, oldText: newText, newText: oldText };
}
