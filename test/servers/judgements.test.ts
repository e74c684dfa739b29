import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type ServerConfig, servers } from "../../server.ts";
import { judgements } from "../../src/servers/judgements/index.ts";
import type { Judgement } from "../../src/servers/judgements/judgement.ts";
import { languages } from "../live/languages.ts";
import { REPOSITORY } from "../support/repository.ts";
import { hostileAddress } from "../traces/hostile.ts";
import { type Recorded, summarise } from "../traces/summary.ts";

const recorded = JSON.parse(readFileSync(join(REPOSITORY, "test/traces/recorded.json"), "utf8")) as Record<
	string,
	Recorded
>;

/** The mistakes of a judgement and the entry that it is about; empty if there are none. */
function faultsOf(server: ServerConfig, judgement: Judgement | undefined): string[] {
	if (!judgement) return ["it is not judged"];
	const { runs, reads, writes, fetches, needs, source } = judgement;
	const faults: string[] = [];
	for (const [name, text] of Object.entries({ runs, reads, writes, fetches }))
		if (!/^\S.*\S$/.test(text) || text.length > 200) faults.push(`${name} says nothing, or too much`);
	if (source.length === 0) faults.push("it has no source");
	for (const entry of source)
		if (!isSource(entry)) faults.push(`"${entry}" is no place in a source and no file of this repository`);
	const harmless = { runs: /^nothing\b/, writes: /^(nothing|only its own)\b/, fetches: /^(nothing|only its own)\b/ };
	for (const [name, pattern] of Object.entries(harmless))
		if (needs === "nothing" && !pattern.test(judgement[name as keyof typeof harmless]))
			faults.push(`needs nothing, and ${name} says something`);
	if (source.includes("unknown") && needs !== "trust")
		faults.push("its source is unknown, and it does not wait for trust");
	const { runsRepositoryCode = false, restricted } = server;
	if (needs === "trust" && (!runsRepositoryCode || restricted)) faults.push("it does not wait for trust");
	if (needs === "nothing" || needs === "trust") return faults;
	const { args = [], environment, initializationOptions, settings, unless } = needs;
	const { unless: evidence, environment: added, ...over } = restricted ?? {};
	const started = { ...server, ...over, environment: { ...server.environment, ...added } };
	for (const program of [started, ...(started.candidates ?? [])])
		for (const argument of args)
			if (!program.args.includes(argument)) faults.push(`${program.command} is not started with ${argument}`);
	for (const [name, part] of Object.entries({ environment, initializationOptions, settings }))
		if (part !== undefined && !holdsPart(started[name as "settings"], part))
			faults.push(`its ${name} lack what it needs`);
	if (unless && (!runsRepositoryCode || unless.some((file) => !evidence?.includes(file))))
		faults.push(`it is started with ${unless.join(" or ")}`);
	return faults;
}

function isSource(source: string): boolean {
	return source === "unknown" || /^[\w-]+\/[\w.-]+ [\w./@-]+:\d+$/.test(source) || existsSync(join(REPOSITORY, source));
}

/** True if all of a part stands in a whole. */
function holdsPart(whole: unknown, part: unknown): boolean {
	if (typeof part !== "object" || part === null || Array.isArray(part))
		return JSON.stringify(whole) === JSON.stringify(part);
	if (typeof whole !== "object" || whole === null) return false;
	return Object.entries(part).every(([key, value]) => holdsPart((whole as Record<string, unknown>)[key], value));
}

const texts = ({ runs, reads, writes, fetches }: Judgement) => [runs, reads, writes, fetches].join("\n");
const ofServer = (id: string) => servers.find((server) => server.id === id) as ServerConfig;

test("the judged servers are exactly the known ones", () => {
	expect(Object.keys(judgements).toSorted()).toEqual(servers.map(({ id }) => id).toSorted());
});

test.each(servers.map((server) => [server.id, server] as const))("%s is judged as its entry states", (id, server) => {
	expect(faultsOf(server, judgements[id])).toEqual([]);
});

test("no judgement is a copy of another", () => {
	const seen = new Map<string, string>();
	const copies: string[] = [];
	for (const [id, judgement] of Object.entries(judgements)) {
		// The same words for running nothing may be used by many; a description of what is run is unique.
		for (const words of [texts(judgement), ...(judgement.runs.startsWith("nothing") ? [] : [judgement.runs])]) {
			const other = seen.get(words);
			if (other !== undefined) copies.push(`${id} says what ${other} says`);
			seen.set(words, id);
		}
	}
	expect(copies).toEqual([]);
});

describe("a judgement is refused", () => {
	const gopls = judgements.gopls as Judgement;
	const jedi = judgements["jedi-language-server"] as Judgement;
	test.each<[string, string, Judgement | undefined, string]>([
		["that is missing", "jedi-language-server", undefined, "it is not judged"],
		["that is empty", "jedi-language-server", { ...jedi, reads: "" }, "reads says nothing, or too much"],
		["that has no source", "jedi-language-server", { ...jedi, source: [] }, "it has no source"],
		[
			"whose source is a page",
			"jedi-language-server",
			{ ...jedi, source: ["https://jedi.example"] },
			'"https://jedi.example" is no place in a source and no file of this repository',
		],
		[
			"of a file of this repository that is not there",
			"jedi-language-server",
			{ ...jedi, source: ["docs/nothing.md"] },
			'"docs/nothing.md" is no place in a source and no file of this repository',
		],
		[
			"by which repository code is run by a server that needs nothing",
			"jedi-language-server",
			{ ...jedi, runs: "the project's setup.py" },
			"needs nothing, and runs says something",
		],
		[
			"by which an address of the repository is asked by a server that needs nothing",
			"jedi-language-server",
			{ ...jedi, fetches: "what the project names" },
			"needs nothing, and fetches says something",
		],
		[
			"that wants trust of a server that is not marked",
			"jedi-language-server",
			{ ...jedi, needs: "trust" },
			"it does not wait for trust",
		],
		[
			"that knows no source of a server that does not wait for trust",
			"jedi-language-server",
			{ ...jedi, source: ["unknown"] },
			"its source is unknown, and it does not wait for trust",
		],
		[
			"that needs an environment that the server does not get",
			"gopls",
			{ ...gopls, needs: { environment: { GOFLAGS: "-mod=vendor" } } },
			"its environment lack what it needs",
		],
		[
			"that needs an argument that is not passed",
			"gopls",
			{ ...gopls, needs: { args: ["-safe"] } },
			"gopls is not started with -safe",
		],
		[
			"that needs a file to be absent with which the server is started",
			"gopls",
			{ ...gopls, needs: { unless: ["go.env"] } },
			"it is started with go.env",
		],
	])("%s", (_, id, judgement, fault) => {
		expect(faultsOf(ofServer(id), judgement)).toContain(fault);
	});
});

describe("recorded servers in a hostile tree", () => {
	test.each(Object.entries(recorded))("%s does what its judgement states, and no more", (id, { trusted, ...seen }) => {
		const judgement = judgements[id] as Judgement;
		const inside = seen.runs.filter((program) => program.startsWith("workspace:"));
		expect(languages.map(({ server }) => server)).toContain(id);
		// A server without trust runs nothing, and contacts no address that the repository names.
		if (!trusted) expect({ inside, fetches: seen.fetches }).toEqual({ inside: [], fetches: [] });
		if (inside.length > 0) expect(judgement.runs).not.toMatch(/^nothing\b/);
		if (seen.fetches.length > 0) expect(judgement.fetches).not.toMatch(/^nothing\b/);
		if (seen.writes.includes("workspace")) expect(judgement.writes).toMatch(/\bworkspace\b/);
		if (seen.writes.some((area) => area !== "workspace")) expect(judgement.writes).not.toMatch(/^nothing$/);
		// If trust is not the condition of a start, the record has to be of a start without it.
		expect(trusted).toBe(ofServer(id).runsRepositoryCode === true);
	});

	test("a trace is described in words: programs of the tree, paths, addresses", () => {
		const places = { root: "/b/ws", base: "/b", own: ["/servers"] };
		const trace = [
			'10 execve("/servers/bin/fortls", ["fortls"], 0x1 /* 9 vars */) = 0',
			'10 openat(AT_FDCWD</b/ws>, "a.f90", O_RDONLY) = 3</b/ws/a.f90>',
			'10 openat(AT_FDCWD</b/ws>, "/package.json", O_RDONLY) = -1 ENOENT (No such file or directory)',
			'11 execve("/bin/sh", ["sh", "-c", "./evil.sh"], 0x1 /* 9 vars */ <unfinished ...>',
			'10 mkdir("/b/cache/x", 0777) = 0',
			"11 <... execve resumed>) = 0",
			'11 execve("./tool", ["./tool"], 0x1 /* 9 vars */) = 0',
			'11 execve("/usr/bin/git", ["git", "fetch"], 0x1 /* 9 vars */) = 0',
			'10 openat(AT_FDCWD</b/ws>, "../home/x", O_WRONLY|O_CREAT, 0666) = 4</b/home/x>',
			'10 openat(AT_FDCWD</b/ws>, "/dev/null", O_RDWR) = 5</dev/null<char 1:3>>',
			`10 connect(6<socket:[1]>, {sa_family=AF_INET, sin_port=htons(${hostileAddress.split(":")[1]}), sin_addr=inet_addr("${hostileAddress.split(":")[0]}")}, 16) = -1 ECONNREFUSED`,
			'10 connect(6<socket:[1]>, {sa_family=AF_UNIX, sun_path="/run/nscd"}, 16) = -1 ENOENT',
		].join("\n");
		expect(summarise(trace, places)).toEqual({
			runs: ["git", "workspace:evil.sh", "workspace:tool"],
			writes: ["cache", "home"],
			reads: ["parents"],
			fetches: ["repository"],
		});
	});
});
