import { LspError } from "../../contract/errors.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { operations } from "../../operations/index.ts";
import { optionsOf, valuesOf } from "../tools/command-line.ts";
import { noneOf, optionName } from "../tools/option-mistake.ts";
import { faceOptions, schemasOf } from "./check-options.ts";
import type { Command } from "./commands.ts";

interface CompletedCommand {
	readonly name: string;
	readonly summary: string;
	/** For the first word; with `takesSeveral`, for each. */
	readonly words: readonly string[];
	readonly takesSeveral?: boolean;
	readonly options: readonly CompletedOption[];
}

interface CompletedOption {
	readonly name: string;
	readonly summary: string;
	readonly takesValue: boolean;
	readonly values?: readonly string[];
}

const commonSummaries: Readonly<Record<string, string>> = {
	json: "The data instead of text",
	"no-daemon": "No background process",
	config: "A configuration over all others",
	"audit-log": "Where this call is recorded",
	help: "What it takes",
};

/** Throws LSP_INVALID_INPUT for an unknown shell. */
export function completionScript(
	shell: string,
	commands: Readonly<Record<string, Command>>,
	servers: readonly string[],
	added: readonly AnyOperation[] = [],
): string {
	const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined;
	if (!script) throw new LspError("LSP_INVALID_INPUT", `completions: ${noneOf(shell, Object.keys(scripts))}`);
	return script([
		...[...operations, ...added].map((operation) => completedOperation(operation, servers)),
		...Object.entries(commands).map(([name, command]) => completedCommand(name, command, servers)),
	]);
}

function completedOperation(operation: AnyOperation, servers: readonly string[]): CompletedCommand {
	const { name, title, positional = [] } = operation;
	const schemas = schemasOf(operation);
	const [first = ""] = positional;
	return {
		name,
		summary: title,
		words: first === "server" ? servers : schemas[first] ? valuesOf(schemas[first]) : [],
		options: Object.entries(optionsOf(operation, faceOptions(operation)))
			.filter(([option]) => !positional.includes(option))
			.map(([option, { type }]) => {
				const schema = schemas[option];
				const values = option === "server" ? servers : schema ? valuesOf(schema) : [];
				return {
					name: optionName(option),
					summary: schema?.description ?? commonSummaries[option] ?? "",
					takesValue: type === "string",
					...(values.length > 0 ? { values } : {}),
				};
			}),
	};
}

function completedCommand(
	name: string,
	{ usage, summary, options = {}, namesServers = false }: Command,
	servers: readonly string[],
): CompletedCommand {
	return {
		name,
		summary,
		words: namesServers ? servers : (choices(usage) ?? []),
		takesSeveral: namesServers,
		options: Object.entries(options).map(([option, about]) => {
			const [left = "", value = ""] = option.split(" ");
			const values = choices(value);
			return { name: `--${left}`, summary: about, takesValue: value !== "", ...(values ? { values } : {}) };
		}),
	};
}

function choices(usage: string): string[] | undefined {
	return /^[\w-]+(\|[\w-]+)+$/.test(usage) ? usage.split("|") : undefined;
}

function placed(name: string, place: number | undefined): string {
	return place === undefined ? `'${name} '[0-9]*` : `'${name} ${place}'`;
}

const scripts: Readonly<Record<string, (all: readonly CompletedCommand[]) => string>> = { bash, zsh, fish };

function bash(all: readonly CompletedCommand[]): string {
	const values = all.flatMap(({ name, options }) =>
		options.flatMap((option) =>
			option.values ? [`    '${name} ${option.name}') words='${option.values.join(" ")}' ;;`] : [],
		),
	);
	const rest = all.flatMap(({ name, words, takesSeveral, options }) => [
		...(words.length > 0 ? [`      ${placed(name, takesSeveral ? undefined : 2)}) words='${words.join(" ")}' ;;`] : []),
		...(options.length > 0 ? [`      '${name} -') words='${options.map((option) => option.name).join(" ")}' ;;`] : []),
	]);
	return `# pi-lsp completions bash
_pi_lsp() {
  local word="\${COMP_WORDS[COMP_CWORD]}" words= place=$COMP_CWORD
  [[ $word == -* ]] && place=-
  case "\${COMP_WORDS[1]} \${COMP_WORDS[COMP_CWORD - 1]}" in
${values.join("\n")}
    *) case "\${COMP_WORDS[1]} $place" in
${rest.join("\n")}
    esac ;;
  esac
  [[ $COMP_CWORD == 1 ]] && words='${all.map(({ name }) => name).join(" ")}'
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}
complete -o default -F _pi_lsp pi-lsp
`;
}

function zsh(all: readonly CompletedCommand[]): string {
	const described = (list: readonly { readonly name: string; readonly summary: string }[]) =>
		list.map(({ name, summary }) => quoted(`${name}:${firstWords(summary)}`)).join(" ");
	const values = all.flatMap(({ name, options }) =>
		options.flatMap((option) =>
			option.values ? [`    '${name} ${option.name}') compadd -- ${option.values.join(" ")}; return ;;`] : [],
		),
	);
	const rest = all.flatMap(({ name, words, takesSeveral, options }) => [
		...(words.length > 0
			? [`    ${placed(name, takesSeveral ? undefined : 3)}) compadd -- ${words.join(" ")}; return ;;`]
			: []),
		...(options.length > 0 ? [`    '${name} -') found=(${described(options)}) ;;`] : []),
	]);
	return `#compdef pi-lsp
_pi_lsp() {
  local -a found
  local place=$CURRENT
  [[ $words[CURRENT] == -* ]] && place=-
  if (( CURRENT == 2 )); then
    found=(${described(all)})
    _describe command found
    return
  fi
  case "$words[2] $words[CURRENT-1]" in
${values.join("\n")}
  esac
  case "$words[2] $place" in
${rest.join("\n")}
    *) _files; return ;;
  esac
  _describe option found
}
compdef _pi_lsp pi-lsp
`;
}

function fish(all: readonly CompletedCommand[]): string {
	const lines = all.flatMap(({ name, summary, words, options }) => [
		`complete -c pi-lsp -n __fish_use_subcommand -f -a ${name} -d ${quoted(firstWords(summary))}`,
		...(words.length > 0 ? [`${afterCommand(name)} -f -a ${quoted(words.join(" "))}`] : []),
		...options.map(
			(option) =>
				`${afterCommand(name)} -l ${option.name.slice(2)} -d ${quoted(firstWords(option.summary))}${
					option.values ? ` -x -a ${quoted(option.values.join(" "))}` : option.takesValue ? " -r" : ""
				}`,
		),
	]);
	return `# pi-lsp completions fish\n${lines.join("\n")}\n`;
}

function afterCommand(name: string): string {
	return `complete -c pi-lsp -n '__fish_seen_subcommand_from ${name}'`;
}

function firstWords(text: string): string {
	return (text.split(/ \(|[.:;]( |$)/)[0] ?? "").trim();
}

function quoted(text: string): string {
	return `'${text.replace(/['\\]/g, "")}'`;
}
