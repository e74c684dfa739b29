import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { REPOSITORY } from "../../support/repository.ts";
import { met, notYet, until } from "../../support/until.ts";
import type { Workspace } from "../../support/workspace.ts";
import { HOST } from "./hosts.ts";
import type { ModelRequest } from "./model-request.ts";
import { configurePi, PI_CLI, PI_NODE, piArguments, piEnvironment } from "./pi-home.ts";
import { conversationOf } from "./run-pi.ts";
import { type ScriptedStep, startScriptedModel } from "./scripted-model.ts";

/** A real pi on a real terminal, as a person uses it. */
export interface PiScreen {
	readonly requests: readonly ModelRequest[];
	/** The terminal's content; with `colours` the escape sequences and all blanks stay in. */
	text(options?: { readonly colours?: boolean }): string;
	/** Waits until the terminal shows something, and returns its content. */
	shows(what: RegExp): Promise<string>;
	/** Types text unchanged. */
	type(text: string): void;
	/** Presses keys by tmux's names: Enter, Escape, C-o. */
	press(...keys: string[]): void;
}

/** True if tmux is installed. */
export function hasTmux(): boolean {
	try {
		execFileSync("tmux", ["-V"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}

/** Runs pi's own screen around a test, on a terminal of its own that ends with it. */
export async function withPiScreen(
	ws: Workspace,
	steps: readonly ScriptedStep[],
	body: (screen: PiScreen) => Promise<void>,
	{ columns = 100, rows = 34, args = [] as readonly string[] } = {},
): Promise<void> {
	const model = await startScriptedModel(steps);
	configurePi(ws, model.baseUrl);
	// The tmux server is the test's own: no session of a person is visible, and killing it ends nothing else.
	const socket = join(ws.base, `tmux-${randomUUID().slice(0, 8)}`);
	const tmux = (...words: string[]) =>
		execFileSync("tmux", ["-S", socket, "-f", "/dev/null", ...words], { encoding: "utf8", env: { ...ws.env } });
	const env = { ...piEnvironment(ws), TERM: "tmux-256color", COLORTERM: "truecolor" };
	const words = [
		"env",
		"-i",
		...Object.entries(env).map(([name, value]) => `${name}=${value}`),
		PI_NODE,
		PI_CLI,
		...piArguments(REPOSITORY),
		...args,
	];
	const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
	tmux("new-session", "-d", "-x", `${columns}`, "-y", `${rows}`, "-c", ws.root, command);
	const screen: PiScreen = {
		requests: model.requests,
		text: ({ colours = false } = {}) => tmux("capture-pane", "-p", ...(colours ? ["-e", "-N"] : [])),
		shows: (what) =>
			until(`the screen shows ${what}`, () => {
				const text = screen.text();
				return what.test(text) ? met(text) : notYet(`\n${text}`);
			}),
		type: (text) => void tmux("send-keys", "-l", text),
		press: (...keys) => void tmux("send-keys", ...keys),
	};
	ws.record(() => `conversation:\n${conversationOf(model)}`);
	try {
		await screen.shows(HOST.ready);
		await body(screen);
	} finally {
		tmux("kill-server");
		await model.close();
	}
}
