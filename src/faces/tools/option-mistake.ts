import { didYouMean } from "../../render/nearest-names.ts";

/** The options that a command takes, each with its values; none where any text is one. */
export type KnownOptions = Readonly<Record<string, readonly string[]>>;

/** What `parseArgs` complains of, in words of our own, with the option that is like it or the values that it takes. */
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

/** The field `end_line` is the option `--end-line`; `--end_line` works too. */
export function optionName(field: string): string {
	return `--${field.replaceAll("_", "-")}`;
}

/** What is none of the values that are known, with the one that is like it. */
export function noneOf(value: string, known: readonly string[]): string {
	return `"${value}" is none of ${known.join(", ")}.${didYouMean(value, known)}`;
}
