import type {
	Examination,
	LanguageCount,
	Prerequisite,
	Probe,
	SandboxExamination,
	ServerExamination,
} from "../../contract/doctor-report.ts";
import { count } from "../count.ts";
import { oneLine } from "../escape.ts";
import { duration } from "./status.ts";

const stderrLines = 6;

export function examinationText(found: Examination): string {
	const { workspace, file, files, more, node, trusted, sandbox, languages, servers, prerequisites, problems } = found;
	const { heldBack = [] } = found;
	const scope = file ?? `${workspace}: ${more ? "more than " : ""}${count(files, "file", "files")}`;
	const width = Math.max(0, ...languages.map(({ id }) => id.length));
	const sections = [
		[
			scope,
			`node ${node}, ${trusted ? "trusted" : "not trusted: nothing that the repository brings is run"}`,
			sandboxLine(sandbox),
		],
		file === undefined ? languages.map((language) => languageLine(language, width)) : [],
		...servers.map((server) => serverLines(server, workspace)),
		servers.length === 0 ? ["No language server answers for what is here."] : [],
		prerequisites.length > 0 ? ["Needed:", ...prerequisites.map(prerequisiteLine)] : [],
		heldBack.length > 0
			? [
					`No server gets ${heldBack.map(oneLine).join(", ")} of this environment; "environment" of a server in the configuration sets a variable.`,
				]
			: [],
		problems.map((problem) => `! ${oneLine(problem)}`),
	];
	return sections
		.filter((lines) => lines.length > 0)
		.map((lines) => lines.join("\n"))
		.join("\n\n");
}

function sandboxLine({ mode, program, reason = "" }: SandboxExamination): string {
	if (mode === "off") return "sandbox: switched off";
	if (program !== undefined) return `sandbox: servers of trees that are not trusted run in one, by ${program}`;
	const instead = mode === "require" ? "do not run" : "run without one";
	return `sandbox: none, servers of trees that are not trusted ${instead}: ${oneLine(reason)}`;
}

function languageLine({ id, files, servers }: LanguageCount, width: number): string {
	return `  ${id.padEnd(width)}  ${String(files).padStart(4)}  ${servers.join(", ")}`;
}

const conditionWords: Readonly<Record<ServerExamination["condition"], string>> = {
	running: "running",
	installed: "installed",
	missing: "missing",
	untrusted: "not trusted",
	broken: "broken",
	no_project: "no project",
	disabled: "disabled",
	unavailable: "unavailable",
};

function serverLines(server: ServerExamination, workspace: string): string[] {
	const { id, role, version, condition, root, command, operations, capabilities, probe, sandboxed } = server;
	const head = [
		conditionWords[condition],
		role === "language" ? "" : role,
		strategyWords(server),
		sandboxed ? "sandboxed" : "",
		root === undefined || root === workspace ? "" : root,
	];
	const { error, install, installable, allow, restricted, says, stderr } = server;
	return [
		`${oneLine(version ? `${id} ${version}` : id)}: ${head.filter(Boolean).join(", ")}`,
		...(error && !install ? [`  ${oneLine(error)}`] : []),
		...(install ? [`  Install it: ${installable ? `pi-lsp install ${id}, or ` : ""}${install}`] : []),
		...(allow ? [`  ${restricted ? "It does more" : "It may run"} once ${allow}.`] : []),
		...(says ? [`  it said: ${oneLine(says)}`] : []),
		...(stderr ? stderrTail(stderr) : []),
		...(command && condition !== "disabled" ? [`  runs ${oneLine(command)}`] : []),
		...(operations ? [`  answers ${operations.join(", ")}`] : []),
		...(capabilities ? [`  offers ${capabilities.join(", ")}`] : []),
		...(probe ? probeLines(probe) : []),
	];
}

function strategyWords({ strategy, detected, condition, probe }: ServerExamination): string {
	if (strategy === undefined) return condition === "running" && !probe?.detected ? "no diagnostics" : "";
	if (condition !== "running") return `${strategy} as declared`;
	return detected ? `${strategy} as detected` : strategy;
}

function stderrTail(stderr: string): string[] {
	const lines = stderr.split("\n").map(oneLine).filter(Boolean);
	return lines.slice(-stderrLines).map((line) => `  | ${line}`);
}

function probeLines(probe: Probe): string[] {
	const { offersPull, pullMs, pushMs, pushVersioned, pushesUnchanged, errorSeenMs, errorGoneMs, failed } = probe;
	const pull = pullMs === undefined ? (offersPull ? "offered and not answered" : "not offered") : duration(pullMs);
	const push =
		pushMs === undefined
			? "none"
			: `${duration(pushMs)} after a change, ${pushVersioned ? "with" : "without"} version, ${pushesUnchanged ? "also" : "none"} for an unchanged text`;
	const error =
		errorSeenMs === undefined
			? "not reported"
			: `reported after ${duration(errorSeenMs)}, ${errorGoneMs === undefined ? "not gone" : `gone after ${duration(errorGoneMs)}`}`;
	return [
		`  pull: ${pull}; push: ${push}`,
		`  an introduced syntax error: ${error}`,
		...(failed ? [`  the trial did not come to its end: ${oneLine(failed)}`] : []),
		...verdictLines(probe).map((line) => `  ${line}`),
	];
}

function verdictLines({ differs, failed, errorSeenMs, detected }: Probe): string[] {
	if (differs.length > 0) return differs.map((difference) => `differs from what is declared of it: ${difference}`);
	if (failed && detected === undefined) return [];
	// Some languages accept any text, and some servers do not check the grammar.
	return [errorSeenMs === undefined ? "nothing differs from what is declared of it" : "as declared"];
}

function prerequisiteLine({ name, path, neededBy }: Prerequisite): string {
	return `  ${name}: ${path ?? "not found"} (${neededBy.join(", ")})`;
}
