import { rmSync } from "node:fs";
import { join } from "node:path";
import { namesIn } from "../util/files.ts";
import { type Executed, executedAt } from "./executed.ts";
import type { RecordingRun, TestRun } from "./recording-run.ts";

interface Artifact {
	readonly reason: string;
	readonly executable?: string | null;
	readonly target?: { readonly src_path: string };
	readonly profile?: { readonly test: boolean };
}

/**
 * Each test of the crate's programs in its own process, but examples in comments; they are built in `folder`. LLVM's own tools, of the rustup component
 * `llvm-tools`, read what it executed; nothing is recorded without them.
 */
export async function* rustTests(run: RecordingRun, folder: string): AsyncGenerator<readonly TestRun[]> {
	const { directory: cwd } = run;
	const [libraries = ""] = (await run.read("rustc", ["--print", "target-libdir"], { cwd })) ?? [];
	const tools = join(libraries, "../bin");
	// What build scripts, macros and the list of tests measure would otherwise be written into the crate.
	const unmeasured = { LLVM_PROFILE_FILE: "/dev/null" };
	const env = { RUSTFLAGS: "-Cinstrument-coverage", CARGO_TARGET_DIR: folder, ...unmeasured };
	const built = await run.read("cargo", ["test", "--no-run", "--message-format=json"], { cwd, env });
	for (const line of built ?? []) {
		const { executable, target: source, profile } = artifactIn(line);
		if (!executable || !source || profile?.test !== true) continue;
		const listed = await run.read(executable, ["--list", "--format=terse"], { cwd, env: unmeasured });
		const runs: TestRun[] = [];
		for (const test of (listed ?? []).flatMap((each) => /^(.*): test$/.exec(each)?.[1] ?? [])) {
			const measured = join(run.folder, "measured");
			rmSync(measured, { recursive: true, force: true });
			const more = { LLVM_PROFILE_FILE: join(measured, "%p.profraw") };
			const isPassed = await run.passes(executable, ["--exact", test], { cwd, env: more });
			const executed = isPassed ? await readMeasured(run, { tools, measured, executable }) : new Map();
			runs.push({ path: source.src_path, test, executed });
		}
		yield runs;
	}
}

interface Measured {
	readonly tools: string;
	readonly measured: string;
	readonly executable: string;
}

async function readMeasured(run: RecordingRun, { tools, measured, executable }: Measured): Promise<Executed> {
	const { directory: cwd } = run;
	const merged = join(measured, "merged.profdata");
	const raw = ((await namesIn(measured)) ?? []).map((name) => join(measured, name));
	if (!(await run.passes(join(tools, "llvm-profdata"), ["merge", "-sparse", ...raw, "-o", merged], { cwd })))
		return new Map();
	const args = ["export", "-format=lcov", `-instr-profile=${merged}`, executable];
	const lines = await run.read(join(tools, "llvm-cov"), args, { cwd });
	const called = new Map<string, number[]>();
	let own: number[] = [];
	for (const each of lines ?? []) {
		const [, path] = /^SF:(.*)/.exec(each) ?? [];
		if (path !== undefined) {
			own = called.get(path) ?? [];
			called.set(path, own);
		}
		const [, line, count] = /^DA:(\d+),(\d+)/.exec(each) ?? [];
		if (count !== undefined && count !== "0") own.push(Number(line));
	}
	return new Map([...called].map(([path, lines]) => [path, executedAt(lines)]));
}

function artifactIn(line: string): Artifact {
	try {
		return JSON.parse(line) as Artifact;
	} catch {
		return { reason: "" };
	}
}
