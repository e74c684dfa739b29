import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A user's configuration before `pi-lsp init`. */
export interface Configuration {
	readonly title: string;
	readonly host: string;
	/** The path below the home directory. */
	readonly file: string;
	/** Undefined for no file. */
	readonly text: string | undefined;
	/** The file is a link to this one. */
	readonly linkTo?: string;
	readonly mode?: number;
	/** The user's change after `init`: a text that occurs once, and another. */
	readonly edit?: readonly [from: string, to: string];
	/** The words with which `init` refuses it. */
	readonly refused?: RegExp;
}

const settings = { host: "claude-code", file: ".claude/settings.json" };
const toml = { host: "codex", file: ".codex/config.toml" };

const cursor = { host: "cursor", file: ".cursor/hooks.json" };
const antigravity = { host: "antigravity", file: ".gemini/config/hooks.json" };

/** Cursor has no groups of handlers; the version is not pi-lsp's. */
const cursors = `{
  "version": 2, // theirs
  "hooks": {
    "postToolUse": [ { "command": "./audit.sh", "matcher": "Shell" } ],
    "stop": [{ "command": "./stop.sh" }] // mine
  }
}
`;

const antigravitys = `{
  /* Ask me. */
  "safety-gate": { "enabled": false, "PreToolUse": [ { "matcher": "run_command", "hooks": [ { "command": "./check.sh" } ] } ] }
}
`;

const foreign = `{
  "model": "opus",
  "hooks": {
    "PostToolUse": [
      { "matcher": "Edit", "hooks": [ { "type": "command", "command": "prettier --write" } ] }
    ],
    "Notification": [{"hooks": [{"type": "command", "command": "notify-send hello"}]}]
  },
  "permissions": {
    "allow": ["Bash(ls:*)"],
    "deny": [ "WebFetch" ]
  }
}
`;

const commented = `// Mine.
{
    // The model of the week
    "model": "opus", /* and of the next */
    "permissions": {
        "allow": [
            "Bash(ls:*)", // harmless
            "Bash(cat:*)" // harmless too
        ], // no more
        "deny": [],
    }, // the last one has a comma
}
// The end.
`;

const commentedToml = `# Mine.
model = "gpt-5.5" # of the week

[mcp_servers.other]   # another one
command = "other"
args = [ "a",
  "b" ]
# The end.
`;

export const configurations: readonly Configuration[] = [
	{ title: "an empty file", ...settings, text: "" },
	{ title: "an empty object", ...settings, text: "{}\n" },
	{ title: "no file", ...settings, text: undefined },
	{ title: "hooks of others", ...settings, text: foreign },
	{ title: "comments and trailing commas in JSON", ...settings, text: commented },
	{ title: "Cursor's hooks of others", ...cursor, text: cursors },
	{ title: "no hooks of Cursor", ...cursor, text: undefined },
	{ title: "Antigravity's hooks of others", ...antigravity, text: antigravitys },
	{
		title: "hooks of Cursor that are changed afterwards",
		...cursor,
		text: cursors,
		edit: ["./audit.sh", "./other.sh"],
	},
	{ title: "comments in TOML", ...toml, text: commentedToml },
	{ title: "no TOML file", ...toml, text: undefined },
	{ title: "TOML with CRLF and without a last line end", ...toml, text: 'model = "x"\r\n[a]\r\nb = 1' },
	{
		title: "broken JSON",
		...settings,
		text: '{\n  "model": "opus",\n  "hooks": [\n}\n',
		refused: /settings\.json:4:1: /,
	},
	{ title: "broken TOML", ...toml, text: 'model = "x"\n[mcp_servers.other\n', refused: /config\.toml:2:\d+: / },
	{
		title: "servers in one line of TOML",
		...toml,
		text: 'model = "x"\nmcp_servers = { other = { command = "o" } }\n',
		refused: /config\.toml:2: mcp_servers/,
	},
	{
		title: "hooks that are no object",
		...settings,
		text: '{\n  "model": "opus",\n  "hooks": "none"\n}\n',
		refused: /settings\.json:3: hooks/,
	},
	{
		title: "a field that comes twice",
		...settings,
		text: '{ "hooks": {},\n"hooks": {} }',
		refused: /settings\.json:2: hooks/,
	},
	{ title: "a read-only file", ...settings, text: foreign, mode: 0o444, refused: /settings\.json is read-only/ },
	{ title: "a link", ...settings, text: foreign, linkTo: "dotfiles/claude.json" },
	{ title: "CRLF", ...settings, text: foreign.replaceAll("\n", "\r\n") },
	{ title: "a byte order mark", ...settings, text: `\ufeff${foreign}` },
	{ title: "tabs", ...settings, text: foreign.replaceAll("  ", "\t") },
	{ title: "one line without an end", ...settings, text: '{"model":"opus","permissions":{"allow":["Bash(ls:*)"]}}' },
	{
		title: "a neighbour that is changed afterwards",
		...settings,
		text: foreign,
		edit: ["prettier --write", "prettier --check"],
	},
	{
		title: "a neighbour in TOML that is changed afterwards",
		...toml,
		text: commentedToml,
		edit: ['command = "other"', 'command = "another" # now'],
	},
	{
		title: "comments that are changed afterwards",
		...settings,
		text: commented,
		edit: ["of the week", "of the month"],
	},
];

export function lay(home: string, { file, text, linkTo, mode }: Configuration): void {
	const path = join(home, file);
	mkdirSync(dirname(path), { recursive: true });
	if (text === undefined) return;
	const target = linkTo === undefined ? path : join(home, linkTo);
	mkdirSync(dirname(target), { recursive: true });
	writeFileSync(target, text);
	if (linkTo !== undefined) symlinkSync(target, path);
	if (mode !== undefined) chmodSync(target, mode);
}
