import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import { type Mode, type Profile, profiles, readSettings, type Settings } from "../../config/read-settings.ts";

export const modes: readonly Mode[] = ["edit", "turn", "off"];
const truths: Readonly<Record<string, boolean>> = {
	true: true,
	on: true,
	"1": true,
	false: false,
	off: false,
	"0": false,
};

/** The flags as pi's `--help` shows them. All take a value: pi cannot turn a boolean flag off. */
const flags = {
	"lsp-auto-check": { description: "Check files after an edit: true, false (default: true)", default: "true" },
	"lsp-mode": { description: "When to check: edit, turn (once, at the turn's end), off (default: as configured)" },
	"lsp-tools": { description: `LSP tools for the model: ${profiles.join(", ")} (default: as configured, else core)` },
} as const;

/**
 * What holds in this session. A verb of `/lsp` wins over a flag, a flag over the configuration files; what the
 * configuration switches off as a whole (`"lsp": false`) no flag and no verb brings back.
 */
export class SessionOptions {
	readonly #pi: ExtensionAPI;
	/** What `/lsp mode` chose. */
	mode: Mode | undefined;
	/** True after `/lsp off`. */
	off = false;

	/** Declares the flags; their values are there when the session starts, not before. */
	constructor(pi: ExtensionAPI) {
		this.#pi = pi;
		for (const [name, flag] of Object.entries(flags)) pi.registerFlag(name, { type: "string", ...flag });
	}

	/** The settings for a directory, with the flags and this session's verbs over them. */
	async settings(cwd: string): Promise<Settings> {
		const configured = await readSettings(cwd, { withoutTrust: true });
		const mode = this.mode ?? this.#flaggedMode() ?? configured.mode;
		return { ...configured, mode, enabled: configured.enabled && !this.off };
	}

	/** The profile that the flag names. */
	get profile(): Profile | undefined {
		const value = this.#flag("lsp-tools");
		return profiles.find((profile) => profile === value);
	}

	/** What is wrong with the flags as they were given; each then counts as not given. */
	problems(): string[] {
		const wrong = (name: keyof typeof flags, values: readonly string[]) => {
			const value = this.#flag(name);
			return value === undefined || values.includes(value)
				? []
				: [`--${name}=${value} is unknown. Try: ${values.join(", ")}`];
		};
		return [
			...wrong("lsp-auto-check", Object.keys(truths)),
			...wrong("lsp-mode", modes),
			...wrong("lsp-tools", profiles),
		];
	}

	#flaggedMode(): Mode | undefined {
		if (truths[this.#flag("lsp-auto-check") ?? "true"] === false) return "off";
		const value = this.#flag("lsp-mode");
		return modes.find((mode) => mode === value);
	}

	#flag(name: keyof typeof flags): string | undefined {
		const value = this.#pi.getFlag(name);
		return typeof value === "string" ? value.trim().toLowerCase() : undefined;
	}
}
