import { LspError } from "../../../contract/errors.ts";
import { managers } from "../../../install/plan.ts";
import type { PrivateInstaller } from "../../../launch/install.ts";
import { noneOf } from "../../tools/option-mistake.ts";
import { parseCommand } from "../parse-command.ts";

export interface InstallOptions {
	readonly words: readonly string[];
	readonly action: "install" | "list" | "update" | "remove";
	readonly manager?: PrivateInstaller;
	readonly yes: boolean;
	readonly dryRun: boolean;
	readonly json: boolean;
}

const flags = {
	list: { type: "boolean" },
	update: { type: "boolean" },
	remove: { type: "boolean" },
	with: { type: "string" },
	"dry-run": { type: "boolean" },
	yes: { type: "boolean", short: "y" },
	json: { type: "boolean" },
} as const;

export function installOptions(args: readonly string[]): InstallOptions {
	const config = { args: [...args], options: flags, allowPositionals: true } as const;
	const { values, positionals } = parseCommand("install", config, { with: Object.keys(managers) });
	const actions = (["list", "update", "remove"] as const).filter((action) => values[action]);
	if (actions.length > 1) throw mistake(`--${actions.join(" and --")} exclude each other.`);
	const [action = "install"] = actions;
	const manager = managerCalled(values.with);
	if (positionals.length === 0 && (action === "install" || action === "remove"))
		throw mistake(
			"which server?",
			"See {{doctor}} for those that are missing, and `pi-lsp install --list` for those that it has installed.",
		);
	return {
		words: [...new Set(positionals)],
		action,
		...(manager === undefined ? {} : { manager }),
		yes: values.yes === true,
		dryRun: values["dry-run"] === true,
		json: values.json === true,
	};
}

function managerCalled(name: string | undefined): PrivateInstaller | undefined {
	if (name === undefined) return undefined;
	const known = Object.keys(managers) as PrivateInstaller[];
	const found = known.find((manager) => manager === name);
	if (!found) throw mistake(`--with ${noneOf(name, known)}`);
	return found;
}

function mistake(why: string, suggestion?: string): LspError {
	return new LspError("LSP_INVALID_INPUT", `install: ${why}`, suggestion === undefined ? {} : { suggestion });
}
