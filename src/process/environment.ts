import type { EnvironmentSummary } from "../contract/protocol.ts";
import { hashOf } from "../util/hash.ts";

type Variables = Readonly<Record<string, string | undefined>>;

export type Environment = Readonly<Record<string, string>>;

const secret =
	/TOKEN|SECRET|PASSW|CREDENTIAL|_KEY|APIKEY|AUTH|COOKIE|^(?:AWS|AZURE|GITHUB|GITLAB|NPM|SSH|GPG)_|^GOOGLE_APPLICATION_CREDENTIALS$/i;
/** They run code in a program or load libraries. */
const loader =
	/^(?:NODE_OPTIONS|NODE_PATH|LD_.*|DYLD_.*|GCONV_PATH|GLIBC_TUNABLES|PYTHONSTARTUP|BASH_ENV|BASH_FUNC_.*|ENV|PROMPT_COMMAND|PS4|PERL5OPT|PERL5DB|RUBYOPT|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|DOTNET_STARTUP_HOOKS|COR(?:ECLR)?_.*PROFIL.*|GIT_.*)$/i;
/** No answer depends on them. */
const session =
	/^(?:_|SHLVL|PWD|OLDPWD|SHELL|TERM.*|COLORTERM|COLUMNS|LINES|PS1|PS2|HIST.*|LS_COLORS|LESS.*|PAGER|EDITOR|VISUAL|MAIL|WINDOWID|DISPLAY|WAYLAND_DISPLAY|DBUS_.*|DESKTOP_.*|XDG_SESSION_.*|XDG_RUNTIME_DIR|XDG_CURRENT_DESKTOP|XDG_SEAT.*|XDG_VTNR|TMUX.*|STY|ZELLIJ.*|KITTY_.*|WEZTERM_.*|ITERM_.*|VTE_VERSION|VSCODE_.*|INVOCATION_ID|JOURNAL_STREAM|TRACEPARENT|TRACESTATE|OTEL_.*|STARSHIP_.*|DIRENV_.*|.*_PID|.*SESSION_?ID|NO_COLOR|FORCE_COLOR|TMPDIR|TEMP|TMP|PI_.*|AGENT_LSP_.*|AI_AGENT|LSP_DEBUG)$/i;
/** Servers get their callers' environments. */
const daemons =
	/^(?:PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|LANG|LANGUAGE|TZ|LC_.*|XDG_.*|SystemRoot|SystemDrive|windir|APPDATA|LOCALAPPDATA|USERPROFILE|ProgramData|ProgramFiles|PATHEXT|COMSPEC|PI_LSP_RUN)$/i;

function isHeldBack(name: string): boolean {
	return secret.test(name) || loader.test(name);
}

export function childEnvironment(env: Variables): Environment {
	return { ...select(env, (name) => !isHeldBack(name)), TERM: "dumb" };
}

export function daemonEnvironment(env: Variables): Environment {
	return { ...select(env, (name) => daemons.test(name) && !isHeldBack(name)), TERM: "dumb" };
}

export function heldBackNames(env: Variables): string[] {
	return Object.keys(select(env, isHeldBack)).sort();
}

export function decisiveVariables(env: Variables): Environment {
	return select(env, (name) => !isHeldBack(name) && !session.test(name));
}

export function summaryOf(env: Variables): EnvironmentSummary {
	const sorted = Object.entries(decisiveVariables(env)).sort(([a], [b]) => (a < b ? -1 : 1));
	return { key: hashOf(JSON.stringify(sorted)), path: env.PATH ?? "" };
}

function select(env: Variables, isKept: (name: string) => boolean): Environment {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) if (value !== undefined && isKept(name)) kept[name] = value;
	return kept;
}
