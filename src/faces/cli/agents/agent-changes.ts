import { dirname, relative } from "node:path";
import { asLspError, describeError, withHintFor } from "../../../contract/errors.ts";
import { diffOfFile } from "../../../planning/diff.ts";
import { isInside } from "../../../util/paths.ts";
import type { AgentHost } from "../../agents/host.ts";
import type { Ledger } from "../../agents/ledger.ts";
import type { HostPlan, PlannedFile } from "../../agents/plan.ts";
import { harmlessError } from "../../tools/format-answer.ts";
import { writeCommand } from "../help.ts";
import { print, printAside } from "../print.ts";

export interface Planned {
	readonly host: AgentHost;
	readonly plan: HostPlan;
}

/** `nothing` completes the sentence without a change. */
export function shownPlan(title: string, { files, links, notes }: HostPlan, home: string, nothing: string): string {
	if (files.length === 0 && links.length === 0)
		return [`${title} ${nothing}`, ...notes.map((note) => `  ${note}`)].join("\n");
	const settings = files.filter(({ isSkill }) => !isSkill);
	const skills = files.filter(({ isSkill }) => isSkill);
	return [
		`${title}:`,
		...settings.map((file) => shownFile(file, home).trimEnd()),
		...shownSkills(skills, home),
		...(links[0] === undefined ? [] : [`${links.length} links to skills removed in ${tilde(dirname(links[0]), home)}`]),
		...notes.map((note) => `  ${note}`),
	].join("\n");
}

function shownFile({ path, shown, before, after }: PlannedFile, home: string): string {
	const [from, top] = isInside(path, home) ? [home, "~/"] : ["/", "/"];
	const link = path === shown ? "" : `${tilde(shown, home)} is a link to ${tilde(path, home)}.\n`;
	const diff = diffOfFile({ path, before, after }, from);
	return link + diff.replace(/^--- a\//, `--- ${top}`).replace(/\n\+\+\+ b\//, `\n+++ ${top}`);
}

/** `3 files and 26 skills, for 2 agents`. */
export function amountOf(plans: readonly Planned[]): string {
	const files = plans.flatMap(({ plan }) => plan.files);
	const skills = files.filter(({ isSkill }) => isSkill).length;
	const counts: readonly [count: number, noun: string][] = [
		[files.length - skills, "file"],
		[skills, "skill"],
	];
	const changed = counts.flatMap(([count, noun]) => (count === 0 ? [] : [counted(count, noun)]));
	return [changed.join(" and "), `for ${counted(plans.length, "agent")}`].filter((part) => part !== "").join(", ");
}

function counted(count: number, noun: string): string {
	return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function shownSkills(skills: readonly PlannedFile[], home: string): string[] {
	const kinds: readonly [what: string, files: readonly PlannedFile[]][] = [
		["new", skills.filter(({ before }) => !before)],
		["changed", skills.filter(({ before, after }) => before && after)],
		["removed", skills.filter(({ after }) => !after)],
	];
	return kinds.flatMap(([what, files]) => {
		const [first] = files;
		if (!first) return [];
		const folder = tilde(dirname(dirname(first.shown)), home);
		return [`${counted(files.length, "skill")} ${what} in ${folder}`];
	});
}

export function tilde(path: string, home: string): string {
	return isInside(path, home) ? `~/${relative(home, path)}` : path;
}

export function tellFailure({ title }: AgentHost, error: unknown): undefined {
	const shown = harmlessError(withHintFor(asLspError(error), writeCommand));
	printAside(`${title} is not changed. ${describeError(shown)}`);
}

export async function writePlans(
	ledger: Ledger,
	plans: readonly Planned[],
	written: (host: AgentHost) => string,
): Promise<number> {
	let failed = 0;
	for (const { host, plan } of plans) {
		const isWritten = await ledger.write(host.name, plan).then(
			() => true,
			(error: unknown) => tellFailure(host, error) !== undefined,
		);
		if (!isWritten) failed++;
		else print(written(host));
	}
	return failed;
}
