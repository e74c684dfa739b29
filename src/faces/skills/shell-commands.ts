import type { AnyOperation } from "../../contract/operation.ts";
import { operations } from "../../operations/index.ts";
import { inputOf, parseWords } from "../tools/command-line.ts";
import { writes } from "./phase-call.ts";
import { commandsIn, type Word } from "./shell-words.ts";

/** `runs` also builds or tests with a known tool. */
type CommandKind = "reads" | "runs" | "other";

const maxLength = 10_000;

/** An unknown command may do anything. */
export function kindOfCommand(line: string): CommandKind {
	const commands = line.length > maxLength ? undefined : commandsIn(line);
	if (!commands) return "other";
	const kinds = commands.map(kindOf);
	return (["other", "runs"] as const).find((kind) => kinds.includes(kind)) ?? "reads";
}

function kindOf([program, ...args]: readonly Word[]): CommandKind {
	if (!program || program.isPattern) return "other";
	const reads = Object.hasOwn(reading, program.text) ? reading[program.text] : undefined;
	if (reads?.(args)) return "reads";
	const runs = Object.hasOwn(running, program.text) ? running[program.text] : undefined;
	return runs?.test(textOf(args)) && !changing.test(textOf(args)) ? "runs" : "other";
}

type Check = (args: readonly Word[]) => boolean;

const always: Check = () => true;

/** Also refuses patterns that may become such options. */
function without(short: string, ...long: readonly string[]): Check {
	return (args) =>
		args.every(({ text, isPattern }) => {
			if (isPattern && /^[*?[]/.test(text)) return false;
			if (text.startsWith("--")) {
				// Long options may be shortened.
				const name = text.slice(2).split("=")[0] ?? "";
				return name === "" || !long.some((each) => each.startsWith(name));
			}
			return !text.startsWith("-") || ![...text.slice(1)].some((letter) => short.includes(letter));
		});
}

const gitReads = new Set(["status", "diff", "log", "show", "blame", "ls-files", "ls-tree", "rev-parse", "describe"]);
const findActs = /^-(?:exec|execdir|ok|okdir|delete|fprint|fprintf|fprint0|fls)/;

const reading: Readonly<Record<string, Check>> = {
	...Object.fromEntries(
		"cat cd cmp comm cut diff dirname basename du echo egrep false fgrep grep head jq ls nl pwd readlink realpath sha256sum stat tail test tr true wc which"
			.split(" ")
			.map((name) => [name, always]),
	),
	find: (args) => args.every(({ text, isPattern }) => !findActs.test(text) && !(isPattern && /^[*?[]/.test(text))),
	rg: without("", "pre", "pre-glob", "hostname-bin"),
	sort: without("oT", "output", "compress-program", "temporary-directory"),
	sed: ([option, script, ...files]) =>
		option?.text === "-n" &&
		/^\d+(?:,(?:\d+|\$))?p$/.test(script?.text ?? "") &&
		files.every(({ text }) => /^[^-*?[]/.test(text)),
	git: ([command, ...args]) =>
		gitReads.has(command?.text ?? "") && without("", "output", "ext-diff", "textconv", "output-indicator")(args),
	"pi-lsp": asksOnly,
};

function asksOnly([name, ...args]: readonly Word[]): boolean {
	const operation: AnyOperation | undefined = operations.find((each) => each.name === name?.text);
	if (!operation || args.some(({ isPattern }) => isPattern)) return false;
	try {
		const { values, positionals } = parseWords(
			operation,
			args.map(({ text }) => text),
		);
		const named = values.config !== undefined || values["audit-log"] !== undefined;
		return !named && operation.effect !== "control" && !writes(operation, inputOf(operation, values, positionals));
	} catch {
		return false;
	}
}

const tools = "(?:tsc|vue-tsc|vitest|jest|mocha|ava|tap|eslint|biome|oxlint|mypy|pyright|ruff|pytest)";
const running: Readonly<Record<string, RegExp>> = {
	...Object.fromEntries(["npm", "pnpm", "yarn", "bun"].map((name) => [name, /^(?:t|test|build|run)(?: |$)/])),
	npx: new RegExp(`^${tools}(?: |$)`),
	...Object.fromEntries(["tsc", "vitest", "jest", "mypy", "pyright", "pytest"].map((name) => [name, /^/])),
	ruff: /^check(?: |$)/,
	node: /^--test(?: [^- ]\S*)*$/,
	python: /^-m (?:pytest|unittest|mypy|compileall)(?: |$)/,
	python3: /^-m (?:pytest|unittest|mypy|compileall)(?: |$)/,
	cargo: /^(?:build|check|test|clippy|nextest)(?: |$)/,
	go: /^(?:build|vet|test)(?: |$)/,
	make: /^(?:[\w-]+(?: |$))*$/,
	...Object.fromEntries(["gradle", "./gradlew", "mvn"].map((name) => [name, /^(?:[\w:-]+(?: |$))*$/])),
	dotnet: /^(?:build|test)(?: |$)/,
	swift: /^(?:build|test)(?: |$)/,
	zig: /^build(?: |$)/,
};
const changing =
	/(?:^| )--?(?:fix|write|update|u|w|o|out|output|exec|toolexec|config|require|import|eval|e)(?:[ =-]|$)/;

function textOf(args: readonly Word[]): string {
	return args.map(({ text }) => text).join(" ");
}
