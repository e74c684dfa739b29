import type { ExtensionAPI } from "@mariozechner/pi-coding-agent";
import {
	type Mode,
	type Preflight,
	type Profile,
	profiles,
	readSettings,
	type Settings,
} from "../../config/read-settings.ts";

export const modes: readonly Mode[] = ["edit", "turn", "off"];
const preflights: readonly Preflight[] = ["off", "warn", "block"];
const booleans: Readonly<Record<string, boolean>> = {
	true: true,
	on: true,
	"1": true,
	false: false,
	off: false,
	"0": false,
};

/** pi turns no boolean flag off. */
const flags = {
	"lsp-auto-check": { description: "Check files after an edit: true, false (default: true)", default: "true" },
	"lsp-mode": { description: "When to check: edit, turn (once, at the turn's end), off (default: as configured)" },
	"lsp-preflight": {
		description:
			"Look at an edit before it is written: off, warn, block (refuse new syntax errors; default: as configured)",
	},
	"lsp-tools": { description: `LSP tools for the model: ${profiles.join(", ")} (default: as configured, else core)` },
} as const;

/** Precedence: verbs of `/lsp`, flags, configuration; `"lsp": false` overrides all. */
export class SessionOptions {
	readonly #pi: ExtensionAPI;
	mode: Mode | undefined;
	off = false;

	constructor(pi: ExtensionAPI) {
		this.#pi = pi;
		for (const [name, flag] of Object.entries(flags)) pi.registerFlag(name, { type: "string", ...flag });
	}

	async settings(cwd: string): Promise<Settings> {
		const configured = await readSettings(cwd, { withoutTrust: true });
		const mode = this.mode ?? this.#flaggedMode() ?? configured.mode;
		const preflight = this.#known("lsp-preflight", preflights) ?? configured.preflight;
		return { ...configured, mode, preflight, enabled: configured.enabled && !this.off };
	}

	get profile(): Profile | undefined {
		return this.#known("lsp-tools", profiles);
	}

	problems(): string[] {
		const wrong = (name: keyof typeof flags, values: readonly string[]) => {
			const value = this.#flag(name);
			return value === undefined || values.includes(value)
				? []
				: [`--${name}=${value} is unknown. Try: ${values.join(", ")}`];
		};
		return [
			...wrong("lsp-auto-check", Object.keys(booleans)),
			...wrong("lsp-mode", modes),
			...wrong("lsp-preflight", preflights),
			...wrong("lsp-tools", profiles),
		];
	}

	#flaggedMode(): Mode | undefined {
		if (booleans[this.#flag("lsp-auto-check") ?? "true"] === false) return "off";
		return this.#known("lsp-mode", modes);
	}

	#known<Value extends string>(name: keyof typeof flags, values: readonly Value[]): Value | undefined {
		const given = this.#flag(name);
		return values.find((value) => value === given);
	}

	#flag(name: keyof typeof flags): string | undefined {
		const value = this.#pi.getFlag(name);
		return typeof value === "string" ? value.trim().toLowerCase() : undefined;
	}
}
