import type { CheckReport } from "../../contract/check-report.ts";
import { oneLine } from "../escape.ts";
import { shellWord } from "../shell-word.ts";

export interface TrustedRun {
	readonly server: string;
	readonly why: string;
	/** Absent if the program is missing. */
	readonly argv?: readonly string[];
}

export interface TrustView {
	readonly root: string;
	readonly state: "trusted" | "untrusted" | "stale" | "refused";
	readonly by?: "caller" | "trustedRoots" | "grant";
	/** Of what is shown: a grant counts only for it. */
	readonly hash: string;
	readonly config?: string;
	readonly runs: readonly TrustedRun[];
	/** Lines that need trust. */
	readonly shown: readonly string[];
	readonly changed?: readonly string[];
	readonly problems: readonly string[];
}

const states: Readonly<Record<TrustView["state"], string>> = {
	trusted: "trusted",
	untrusted: "untrusted: nothing that it brings is run",
	stale: "stale: it would run something else than what was allowed, so nothing that it brings is run",
	refused: "refused: nothing that it brings is run, and the question is not asked again",
};

const by: Readonly<Record<string, string>> = {
	caller: "by PI_LSP_TRUST=1, or by a yes to pi's own question",
	trustedRoots: "by trustedRoots in the user configuration",
	grant: "by `pi-lsp trust add`",
};

export function trustText(view: TrustView): string {
	const { root, state, changed = [], problems, runs, shown } = view;
	const isNothing = runs.length === 0 && shown.length === 0;
	const next: Readonly<Record<TrustView["state"], string>> = {
		trusted: view.by === "grant" ? "To take it back: pi-lsp trust remove" : "",
		untrusted: isNothing
			? "To allow what its tools may find all the same: pi-lsp trust add"
			: "To allow it: pi-lsp trust add",
		stale: "To allow what it is now: pi-lsp trust add",
		refused: "To allow it: pi-lsp trust add",
	};
	return [
		`${oneLine(root)}: ${states[state]}${view.by ? `, ${by[view.by]}` : ""}`,
		...(changed.length > 0 ? ["Since it was allowed:", ...changed.map((line) => `  ${oneLine(line)}`)] : []),
		...runLines(view),
		...problems.map(oneLine),
		next[state],
	]
		.filter(Boolean)
		.join("\n");
}

function runLines({ runs, shown, config = "its configuration", state }: TrustView): string[] {
	const would = state === "trusted" ? "may be run" : "would be run";
	const lines = runs.map(
		({ server, why, argv }) =>
			`  ${oneLine(server)}: ${argv ? commandLine(argv) : "(not installed)"}\n      ${oneLine(why)}`,
	);
	const shownLines = shown.map((line) => `  ${oneLine(line)}`);
	return [
		lines.length > 0 ? `This ${would}:` : `pi-lsp knows of nothing here that ${would}.`,
		...lines,
		...(shownLines.length > 0 ? [`What ${oneLine(config)} says that counts with trust only:`, ...shownLines] : []),
	];
}

export function questionText(view: TrustView): string {
	const stale = view.state === "stale" ? "What this repository would run has changed. " : "";
	return [`${stale}May pi-lsp run what ${oneLine(view.root)} brings?`, ...runLines(view)].join("\n");
}

function commandLine(argv: readonly string[]): string {
	return argv.map((word) => shellWord(oneLine(word))).join(" ");
}

/** They lacked trust. */
export function untrustedText({ files, servers, withheld = [] }: CheckReport): string | undefined {
	const partly = servers.filter(({ state }) => state === "untrusted").map(({ id }) => id);
	const names = [...new Set([...partly, ...withheld])];
	if (names.length === 0 && !files.some(({ state }) => state === "untrusted")) return undefined;
	const who = names.length > 0 ? names.map(oneLine).join(", ") : "no server";
	const ran = names.length > 0 ? "did not run" : "ran";
	return `untrusted: ${who} ${ran} what the repository brings. Only a person may allow it: ask them to run \`pi-lsp trust add\`.`;
}
