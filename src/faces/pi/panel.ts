import type { ExtensionCommandContext } from "@mariozechner/pi-coding-agent";
import type { Mode } from "../../config/read-settings.ts";
import type { Status } from "../../operations/servers.ts";
import { count } from "../../render/count.ts";
import { oneLine } from "../../render/escape.ts";
import { serverFacts, serverRow } from "../../render/status/status.ts";
import { select } from "./screen.ts";
import { modes } from "./session-options.ts";

export interface PanelSource {
	/** Undefined without a daemon. */
	status(): Promise<Status | undefined>;
	/** `text` is one line. */
	session(): Promise<{ readonly text: string; readonly isOff: boolean }>;
	failing(): readonly { readonly path: string; readonly errors: number }[];
	errorsIn(path: string): Promise<string>;
	run(verb: string, argument?: string): Promise<string>;
}

interface Entry {
	readonly label: string;
	text(): Promise<string>;
	readonly actions: Readonly<Record<string, () => Promise<string>>>;
}

const back = "Back";

/** With pi's own keys: Enter opens a line, Escape leaves. Each return refreshes it. */
export async function showPanel(ctx: ExtensionCommandContext, source: PanelSource): Promise<void> {
	for (;;) {
		const [status, session] = await Promise.all([source.status(), source.session()]);
		const entries = entriesOf(source, status, session.isOff);
		const chosen = await select(
			ctx,
			["LSP", session.text, ...(status?.problems ?? []).map((problem) => `! ${oneLine(problem)}`)].join("\n"),
			entries.map(({ label }) => label),
		);
		const entry = entries.find(({ label }) => label === chosen);
		if (!entry) return;
		await openEntry(ctx, entry);
	}
}

async function openEntry(ctx: ExtensionCommandContext, { text, actions }: Entry): Promise<void> {
	const answer = await select(ctx, await text(), [...Object.keys(actions), back]);
	const action = answer === undefined ? undefined : actions[answer];
	if (action) await select(ctx, await action(), [back]);
}

function entriesOf(source: PanelSource, status: Status | undefined, isOff: boolean): Entry[] {
	const { run } = source;
	const servers = (status?.servers ?? []).map(
		(server): Entry => ({
			label: serverRow(server),
			text: async () => [serverRow(server), serverFacts(server)].join("\n"),
			actions: { "Stop it; the next question starts it afresh": () => run("restart", server.id) },
		}),
	);
	const files = source.failing().map(
		({ path, errors }): Entry => ({
			label: `✗ ${oneLine(path)}: ${count(errors, "error", "errors")}`,
			text: () => source.errorsIn(path),
			actions: {},
		}),
	);
	const showing = (label: string, verb: string, argument?: string, actions: Entry["actions"] = {}): Entry => ({
		label,
		text: () => run(verb, argument),
		actions,
	});
	const taking = (mode: Mode) => [modeActions[mode], () => run("mode", mode)] as const;
	return [
		...servers,
		...files,
		showing("When files are checked", "mode", "", Object.fromEntries(modes.map(taking))),
		showing("What may run here", "trust", "show", {
			"Trust this repository": () => run("trust", "add"),
			"Take the trust away": () => run("trust", "remove"),
		}),
		showing("What tools have written", "undo", "list", { "Take back the last change": () => run("undo") }),
		showing("What is missing or broken", "doctor"),
		isOff ? showing("Switch pi-lsp on again", "on") : showing("Switch pi-lsp off for this session", "off"),
	];
}

const modeActions: Readonly<Record<Mode, string>> = {
	edit: "After each edit",
	turn: "Once, at the end of a turn",
	off: "Never; the tools stay",
};
