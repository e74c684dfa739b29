import { didYouMean } from "../../render/nearest-names.ts";

export type KnownOptions = Readonly<Record<string, readonly string[]>>;

export function optionMistake(thrown: unknown, known: KnownOptions): string {
	const { code, message } = thrown as NodeJS.ErrnoException;
	const [, option = ""] = /'(?:-\w, )?(--?[^' =]+)/.exec(message) ?? [];
	if (code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
		const options = Object.keys(known).map(optionName);
		return `there is no option ${option}.${didYouMean(option, options)}`;
	}
	if (code !== "ERR_PARSE_ARGS_INVALID_OPTION_VALUE") return message.split("\n")[0] ?? "";
	if (message.includes("does not take an argument")) return `${option} takes no value.`;
	const values = Object.entries(known).find(([name]) =>
		[name, optionName(name).slice(2)].includes(option.slice(2)),
	)?.[1];
	const name = optionName(option.slice(2));
	if (values && values.length > 0) return `${name} takes one of ${values.join(", ")}.`;
	const dash = message.includes("ambiguous") ? `; one that begins with a dash is written ${name}=VALUE` : "";
	return `${name} takes a value${dash}.`;
}

export function optionName(field: string): string {
	return `--${field.replaceAll("_", "-")}`;
}

export function noneOf(value: string, known: readonly string[]): string {
	return `"${value}" is none of ${known.join(", ")}.${didYouMean(value, known)}`;
}
