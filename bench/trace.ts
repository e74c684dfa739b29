// npm run trace -- [hover|references|check|edit] [--functions]: the files, and with `--functions` the functions, that one
// warm call executes, as counted by V8; without a word all four calls. Faces and socket are excluded, and so are functions
// that run in only some of the calls. The project has two files and TypeScript 7.
import { readFileSync } from "node:fs";
import { Session } from "node:inspector/promises";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { type Project, withProject } from "../test/diagnostics/project.ts";

const files = {
	"src/a.ts": "export function greet(name: string): string {\n\treturn name;\n}\n",
	"src/b.ts": 'import { greet } from "./a.ts";\nexport const greeting = greet("you");\n',
};
const place = { file: "src/a.ts", line: 1, column: 17 };
let edits = 0;

/** Each call repeats the one before it. */
const calls: Readonly<Record<string, (project: Project) => Promise<unknown>>> = {
	hover: ({ call }) => call("hover", place),
	references: ({ call }) => call("references", place),
	check: ({ check }) => check(["src/a.ts"]),
	edit: async ({ editAlone, late }) => {
		await editAlone("src/a.ts", files["src/a.ts"].replace("return", `void ${++edits};\n\treturn`));
		await late();
	},
};
const rounds = 6;
const coldRounds = 2;
/** Work behind a call's answer ends within this time, in milliseconds. */
const restMs = 300;

interface Passed {
	readonly file: string;
	readonly functions: readonly { readonly name: string; readonly times: number }[];
}

/** The functions of `src/` that a call runs, by file. Comments in the bundle name the file of the code below them. */
async function passedBy(session: Session, call: () => Promise<unknown>): Promise<Passed[]> {
	await session.post("Profiler.takePreciseCoverage");
	await call();
	const { result } = await session.post("Profiler.takePreciseCoverage");
	const passed = new Map<string, Map<string, number>>();
	for (const { url, functions } of result) {
		if (!url.startsWith("file:") || !url.includes("bench-trace.ts")) continue;
		const text = readFileSync(fileURLToPath(url), "utf8");
		const modules = [...text.matchAll(/^\/\/ (\S+\.ts)$/gm)].map(({ 1: file = "", index }) => ({ file, index }));
		for (const { functionName, ranges } of functions) {
			const [range] = ranges;
			const file = modules.findLast(({ index }) => index <= (range?.startOffset ?? 0))?.file;
			// The first range of a module is the module itself.
			if (!range || range.count === 0 || !file?.startsWith("src/") || range.startOffset === 0) continue;
			const known = passed.get(file) ?? new Map<string, number>();
			passed.set(file, known);
			const name = functionName || `(anonymous, at ${range.startOffset})`;
			known.set(name, (known.get(name) ?? 0) + range.count);
		}
	}
	return [...passed]
		.map(([file, functions]) => ({ file, functions: [...functions].map(([name, times]) => ({ name, times })) }))
		.sort((a, b) => (a.file < b.file ? -1 : 1));
}

function inBoth(now: readonly Passed[], before: readonly Passed[]): Passed[] {
	return now.flatMap(({ file, functions }) => {
		const known = before.find((each) => each.file === file)?.functions ?? [];
		const both = functions.filter(({ name }) => known.some((each) => each.name === name));
		return both.length > 0 ? [{ file, functions: both }] : [];
	});
}

const words = process.argv.slice(2);
const wanted = words.filter((word) => !word.startsWith("--"));
const unknown = wanted.find((word) => !Object.hasOwn(calls, word));
if (unknown !== undefined) {
	process.stderr.write(`trace: "${unknown}" is none of ${Object.keys(calls).join(", ")}.\n`);
	process.exit(2);
}
process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 1));
const session = new Session();
session.connect();
await session.post("Profiler.enable");
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
await withProject(files, async (project) => {
	for (const [name, call] of Object.entries(calls)) {
		if (wanted.length > 0 && !wanted.includes(name)) continue;
		let passed: Passed[] = [];
		for (let round = 0; round < rounds; round++) {
			const now = await passedBy(session, () => call(project));
			passed = round <= coldRounds ? now : inBoth(now, passed);
			await new Promise((resolve) => setTimeout(resolve, restMs));
		}
		const count = passed.reduce((sum, { functions }) => sum + functions.length, 0);
		process.stdout.write(`${name}: ${passed.length} files, ${count} functions\n`);
		for (const { file, functions } of passed) {
			process.stdout.write(`  ${file} ${functions.length}\n`);
			if (words.includes("--functions"))
				for (const { name: each, times } of functions) process.stdout.write(`    ${each} ${times}\n`);
		}
	}
});
session.disconnect();
