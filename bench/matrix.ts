/**
 * `npm run matrix`: runs every installed language server of the live tests and writes the results into docs/languages.md. A
 * server that is not installed is called absent; no result is kept from an earlier run.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { servers } from "../server.ts";
import type { Language } from "../test/live/cases/language.ts";
import { type Course, drive } from "../test/live/drive.ts";
import { findProgram, languages, missingFor } from "../test/live/languages.ts";
import { versionOf } from "../test/live/versions.ts";
import { REPOSITORY } from "../test/support/repository.ts";
import { markdownTable } from "./report.ts";
import { spreadOf } from "./statistics.ts";

/** The text before this heading in docs/languages.md is kept. */
const heading = "## Language servers that were run";
const rounds = 5;
const maxIds = 4;
const heads = ["server", "version", "languages", "strategy", "cold start (ms)", "warm check (ms)", "result"];

type Outcome = { readonly course: Course } | { readonly absent: string } | { readonly failed: string };

async function outcomeOf(language: Language): Promise<Outcome> {
	const absent = missingFor(language);
	if (absent !== undefined) return { absent };
	try {
		return { course: await drive(language, rounds) };
	} catch (error) {
		return { failed: String(error instanceof Error ? error.message : error) };
	}
}

function rowOf({ server, program }: Language, outcome: Outcome): string[] {
	const known = [server, languageIds(server)] as const;
	if ("absent" in outcome)
		return [known[0], "", known[1], "", "", "", `absent: \`${outcome.absent}\` is not installed`];
	const version = (reported?: string) => versionOf(reported, program) ?? "unknown";
	if ("failed" in outcome) return [known[0], version(), known[1], "", "", "", "FAILED"];
	const { course } = outcome;
	const warm = spreadOf(course.warmMs).median;
	const milliseconds = [course.coldMs, warm].map((ms) => (ms < 10 ? ms.toFixed(1) : ms.toFixed(0)));
	return [known[0], version(course.version), known[1], course.strategy, ...milliseconds, "checked"];
}

/** The language ids of a server in the registry. */
function languageIds(id: string): string {
	const { languageId = {} } = servers.find((server) => server.id === id) ?? {};
	const ids = typeof languageId === "string" ? [languageId] : [...new Set(Object.values(languageId))];
	return [...ids.slice(0, maxIds), ...(ids.length > maxIds ? ["…"] : [])].join(", ");
}

/** Whether a server is part of pi-lsp or from npm. */
function isOfNpm({ program }: Language): boolean {
	return program === undefined || (findProgram(program) ?? "").includes("node_modules");
}

function partOf(results: readonly (readonly [Language, Outcome])[]): string {
	const checked = results.filter(([, outcome]) => "course" in outcome).map(([language]) => language);
	const npm = checked.filter(isOfNpm).length;
	const absent = results.filter(([, outcome]) => "absent" in outcome).length;
	return `${heading}

\`npm run matrix\` wrote this section. It runs every language server of the live tests (\`test/live/cases/\`) through \`pi-lsp check\`, in a
project of its own: first the correct file (a wrong one for the few servers that publish nothing for a file before its first error), then ${rounds} times
an error and its repair. "checked" means that each time the error was reported on its line, was gone after the repair, and both results
were proven. \`node scripts/install-servers.mjs\` installs the servers; a server that is not installed is "absent". Servers that are not
in this table were not run.

${results.length} servers: ${checked.length} checked (${npm} of npm, ${checked.length - npm} from elsewhere), ${results.length - checked.length - absent} failed, ${absent} absent.

${markdownTable([heads, ...results.map(([language, outcome]) => rowOf(language, outcome))])}

Cold start: the time to the first answer, including the start of the server. Warm check: the median of ${rounds * 2} checks after an edit,
measured inside the daemon from request to answer. ${availableParallelism()} cores; upper bounds.
`;
}

const results: [Language, Outcome][] = [];
for (const language of languages) {
	const outcome = await outcomeOf(language);
	results.push([language, outcome]);
	process.stdout.write(`${rowOf(language, outcome).filter(Boolean).join("  ")}\n`);
	if ("failed" in outcome) process.stdout.write(`${outcome.failed}\n`);
}
const file = join(REPOSITORY, "docs/languages.md");
const [before = ""] = readFileSync(file, "utf8").split(heading);
writeFileSync(file, before + partOf(results));
if (results.some(([, outcome]) => "failed" in outcome)) process.exitCode = 1;
