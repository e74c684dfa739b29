import type { Workspace } from "../../test/support/workspace.ts";
import type { Errors } from "../truth/errors.ts";
import type { BareSide } from "./bare-side.ts";
import type { SeedRules } from "./seeds.ts";

/** What an edit of a project does, as far as the time that it may take depends on it. */
export const kinds = [
	"comment",
	"formatting",
	"private body",
	"comment in another file",
	"error in the own body",
	"own error mended",
	"export added",
	"unused export removed",
	"export renamed",
	"export renamed back",
	"type changed",
	"type changed back",
] as const;
export type Kind = (typeof kinds)[number];

/** Kinds that no other file can see, or that cannot break one: the edited file's own answer is all that may be waited for. */
export const quietKinds: ReadonlySet<Kind> = new Set<Kind>([
	"comment",
	"formatting",
	"private body",
	"comment in another file",
	"error in the own body",
	"own error mended",
	"export added",
]);

/** Kinds whose inverse is of the same kind. */
export const twofoldKinds: ReadonlySet<Kind> = new Set<Kind>([
	"comment",
	"formatting",
	"private body",
	"comment in another file",
]);

/** One replacement in a file, as pi's edit tool is told of it: the old text stands there once. */
export interface Change {
	readonly file: string;
	readonly oldText: string;
	readonly newText: string;
}

/** An edit with its inverse; `change` makes another text for each number, so that no text comes twice. */
export interface ScriptedEdit {
	readonly kind: Kind;
	readonly back: Kind;
	readonly change: (n: number) => Change;
}

/** A file that nobody edits, and declarations in it that questions are about, as their lines begin. */
interface Questions {
	readonly file: string;
	readonly before: string;
	readonly symbols: readonly string[];
}

/** A large project, and what is done to it. */
export interface LargeProject {
	/** What the command line calls it. */
	readonly name: string;
	readonly title: string;
	/** The program without which it cannot be measured; none for servers that come with pi-lsp. */
	readonly program?: string;
	/** The directory in the cache that holds it, fetched and prepared the first time. */
	readonly directory: () => string;
	/** What is different in each copy of it. */
	readonly settle?: (root: string) => void;
	/** What everything that works in the project needs in its environment. */
	readonly env?: () => Readonly<Record<string, string>>;
	/** The file that many others depend on. */
	readonly hub: string;
	readonly edits: readonly ScriptedEdit[];
	/** The edit that breaks the most: the one of the rows about bursts and about phase two. */
	readonly breaking: ScriptedEdit;
	/** The name that it takes from the files that know it. */
	readonly breakingSymbol: string;
	readonly questions: Questions;
	/** A shell command that changes all sources and what none of them means. */
	readonly formats?: string;
	/** Whether a session of thirty edits is made in it. */
	readonly hasLongSession?: boolean;
	readonly isSource: (path: string) => boolean;
	readonly startBare: (ws: Workspace, root: string) => Promise<BareSide>;
	/** What the compiler says of the project in `root`. */
	readonly judge: (ws: Workspace, root: string) => Promise<Errors>;
	/** What a bare client takes to prove files that others broke; without it each is asked about in turn. */
	readonly othersMs?: (ws: Workspace, root: string, files: readonly string[]) => Promise<number>;
	/** Whether the compiler's codes are those of the server; else only lines are compared. */
	readonly comparesCodes: boolean;
	/** How declarations of hub files are found and broken. */
	readonly seeds: SeedRules;
}

/** The text of a file after a change. */
export function changed(text: string, { file, oldText, newText }: Change): string {
	const at = text.indexOf(oldText);
	if (at < 0 || text.indexOf(oldText, at + 1) >= 0) throw new Error(`${file} does not have this once: ${oldText}`);
	return text.slice(0, at) + newText + text.slice(at + oldText.length);
}

/** The change that takes another one back. */
export function inverse({ file, oldText, newText }: Change): Change {
	return { file, oldText: newText, newText: oldText };
}
