import { readJson } from "../../../config/json-reader.ts";

const commandFields = ["command", "bash"];
const limitFields = ["timeout", "timeoutSec"];

type IsOwn = (command: string) => boolean;

/** No command but pi-lsp's does anything. Places in lists stay: Codex's trust counts them. */
export function withOwnHooks(text: string, switches: readonly string[], isOwn: IsOwn): string {
	const value = readJson(text).value as Readonly<Record<string, unknown>>;
	const kept = switches.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]] as const]));
	return JSON.stringify({ ...Object.fromEntries(kept), hooks: quiet(value.hooks, isOwn) });
}

function quiet(value: unknown, isOwn: IsOwn): unknown {
	if (Array.isArray(value)) return value.map((item) => quiet(item, isOwn));
	if (typeof value !== "object" || value === null) return value;
	const command = commandOf(value);
	if (command !== undefined && !isOwn(command)) return { type: "command", command: "true", bash: "true" };
	// Claude Code's hooks of type http have no command.
	if (command === undefined && "type" in value) return { type: "command", command: "true" };
	return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, quiet(inner, isOwn)]));
}

export interface WrongLimit {
	readonly field: string;
	readonly limit: number;
	readonly wanted: number;
}

/** A hundred times too long or short: seconds for milliseconds. */
export function wrongLimits(text: string, wanted: readonly unknown[], isOwn: IsOwn): readonly WrongLimit[] {
	const expected = limitsIn(wanted, isOwn)[0]?.limit;
	if (expected === undefined) return [];
	return limitsIn(readJson(text).value, isOwn)
		.filter(({ limit }) => limit * 100 <= expected || limit >= expected * 100)
		.map((each) => ({ ...each, wanted: expected }));
}

function limitsIn(value: unknown, isOwn: IsOwn): { readonly field: string; readonly limit: number }[] {
	if (typeof value !== "object" || value === null) return [];
	const command = commandOf(value);
	const fields = value as Readonly<Record<string, unknown>>;
	if (command === undefined || !isOwn(command)) return Object.values(fields).flatMap((inner) => limitsIn(inner, isOwn));
	return limitFields.flatMap((field) => {
		const limit = fields[field];
		return typeof limit === "number" ? [{ field, limit }] : [];
	});
}

function commandOf(value: object): string | undefined {
	const fields = value as Readonly<Record<string, unknown>>;
	return commandFields.map((name) => fields[name]).find((each) => typeof each === "string");
}
