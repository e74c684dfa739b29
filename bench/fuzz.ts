// npm run fuzz [-- VERSION [STEPS [SEED [PACKAGE]]]]: breaks the files of real packages in every way, and compares pi-lsp's
// findings in them, in their importers and in the restored files with the compiler's. Without VERSION (7 or 5) both are
// run, without PACKAGE all. Exit code 1 if an answer was wrong, stale, falsely clean or missing.
import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import type { CheckReport } from "../src/contract/check-report.ts";
import { connectDaemon, type DaemonClient } from "../src/daemon/lifecycle/connect.ts";
import { withWorkspace } from "../test/support/workspace.ts";
import { checkerErrors } from "./fuzz/checker-errors.ts";
import { type Mutation, mutations } from "./fuzz/mutations.ts";
import { type Oracle, tscOracle } from "./oracle.ts";
import { typescript5Oracle } from "./oracle-typescript5.ts";
import { codeOf } from "./truth/errors.ts";
import { npmPackage } from "./truth/packages.ts";
import { Random } from "./truth/random.ts";

const maxWaitMs = 60_000;
/** These packages contain their sources. */
const packages = { rxjs: "7.8.2", redux: "5.0.1", immer: "11.2.10" } as const;
const versions = { 7: "7.0.2", 5: "5.9.3" } as const;
type Version = keyof typeof versions;

const print = (text: string) => void process.stdout.write(`${text}\n`);

function filesOf(version: Version, name: keyof typeof packages) {
	const isWanted = (path: string) => /^src\/(?!internal\/umd\.ts).*\.ts$/.test(path);
	return {
		"package.json": JSON.stringify({
			name: "fuzzed",
			type: "module",
			devDependencies: { typescript: versions[version] },
		}),
		"tsconfig.json": JSON.stringify({
			compilerOptions: {
				...{ target: "es2022", module: "esnext", moduleResolution: "bundler", lib: ["es2022", "dom"] },
				...{ strict: true, noEmit: true, types: [] },
			},
			include: ["src"],
		}),
		...npmPackage(name, packages[name], isWanted),
	};
}

/**
 * Errors that only the checker reports, although their numbers look like those of syntax errors: 1192 no default export,
 * 1344 a label before a declaration, 1345 a tested void, 1540 `module` for `namespace`, 18046 types. Each was compared with
 * `tsc`, which leaves it out where another file has a syntax error.
 */
const ofChecker = new Set("1192 1259 1344 1345 1361 1362 1371 1484 1485 1540 18046 18047 18048 18049".split(" "));
/** With one of these anywhere, `tsc` reports no other errors. */
const isSyntax = (error: string) => {
	const code = error.split(" ")[1] ?? "";
	return /^1\d{3}$|^1[78]\d{3}$/.test(code) && !ofChecker.has(code);
};

/** The compiler's `line code` in the lines of LSP and of editors; for the compiler U+2028 and U+2029 end a line as well. */
function inEditorLines(errors: Iterable<string>, text: string): string[] {
	const starts = [0, ...Array.from(text.matchAll(/\r\n|[\n\r\u2028\u2029]/g), (end) => end.index + end[0].length)];
	return [...errors].map((error) => {
		const [line = "", code] = error.split(" ");
		const before = text.slice(0, starts[Number(line) - 1] ?? text.length);
		return `${before.split(/\r\n|[\n\r]/).length} ${code}`;
	});
}

class Fuzz {
	readonly #root: string;
	readonly #client: DaemonClient;
	readonly #random: Random;
	readonly #tally = new Map<string, number>();
	readonly #texts: ReadonlyMap<string, string>;
	readonly #truth: Oracle;
	/** The real `tsc` reports only syntax errors while there are any. */
	readonly #stopsAtSyntax: boolean;
	failures = 0;

	constructor(
		root: string,
		texts: Readonly<Record<string, string>>,
		version: Version,
		client: DaemonClient,
		seed: number,
	) {
		this.#root = root;
		this.#client = client;
		this.#random = new Random(seed);
		this.#texts = new Map(Object.entries(texts).filter(([path]) => path.endsWith(".ts")));
		const isOwn = (path: string) => path.endsWith(".ts");
		this.#stopsAtSyntax = version === 7;
		// A run of the real tsc 5.9 takes ten times as long, and reports less.
		this.#truth =
			version === 7
				? tscOracle("typescript", root, [["--noEmit", "-p", "."]], isOwn)
				: typescript5Oracle(root, ["tsconfig.json"], isOwn);
	}

	async run(steps: number): Promise<void> {
		const original = (await this.#truth()).errors;
		const names = Object.keys(mutations);
		for (let step = 0; step < steps; step++) {
			const file = this.#random.pick([...this.#texts.keys()]) as string;
			const name = names[step % names.length] as string;
			const text = this.#texts.get(file) as string;
			writeFileSync(join(this.#root, file), (mutations[name] as Mutation)(text, this.#random));
			const truth = (await this.#truth()).errors;
			const what = `#${step} ${name}`;
			await this.#compare(file, truth, what);
			const importer = step % 2 === 0 ? this.#importerOf(file) : undefined;
			if (importer !== undefined) await this.#compare(importer, truth, `${what}, importer of ${file}`);
			writeFileSync(join(this.#root, file), text);
			if (step % 3 === 0) await this.#compare(file, original, `${what}, restored`);
			if ((step + 1) % 20 === 0 || step + 1 === steps) print(`  ${step + 1} steps: ${this.#summary()}`);
		}
	}

	#importerOf(file: string): string | undefined {
		const imports = new RegExp(`from '[^']*/${basename(file, ".ts")}'`);
		return this.#random.pick(
			[...this.#texts].filter(([path, text]) => path !== file && imports.test(text)).map(([path]) => path),
		);
	}

	async #compare(file: string, truth: ReadonlyMap<string, ReadonlySet<string>>, what: string): Promise<void> {
		const input = { files: [file], scope: "file", severity: "error", timeout: maxWaitMs };
		const asked = this.#client.call<CheckReport>("check", { cwd: this.#root, input });
		const report = await asked.catch((error: Error) => error);
		if (report instanceof Error) return this.#failed("no answer", file, what, report.message);
		const found = report.files.find(({ path }) => path === file);
		if (found?.state === "binary") return this.#count("reported as binary");
		if (found?.state !== "fresh") return this.#failed("not proven", file, what, `${found?.state}: ${found?.reason}`);
		const text = readFileSync(join(this.#root, file), "utf8");
		const reported = new Set(found.diagnostics.map(({ line, code = "" }) => `${line} ${codeOf(code)}`));
		const right = new Set(inEditorLines(truth.get(file) ?? [], text));
		const onlySyntax = this.#stopsAtSyntax && [...truth.values()].some((errors) => [...errors].some(isSyntax));
		const counts = (error: string) => !onlySyntax || isSyntax(error);
		const missing = [...right].filter((error) => counts(error) && !reported.has(error));
		const checked = onlySyntax ? new Set(inEditorLines(checkerErrors(file, text), text)) : new Set<string>();
		const invented = [...reported].filter((error) => counts(error) && !right.has(error) && !checked.has(error));
		// A truncated list counts what it omits.
		const isCut = report.omitted.diagnostics > 0 && invented.length === 0;
		if (missing.length + invented.length === 0 || isCut)
			return this.#count(right.size > 0 ? "right, errors" : "right, clean");
		const kind = reported.size === 0 ? "false clean" : what.endsWith("restored") ? "stale" : "wrong";
		const list = (errors: readonly string[]) => errors.slice(0, 5).join(", ") || "nothing";
		this.#failed(kind, file, what, `missing ${list(missing)}; invented ${list(invented)}`);
	}

	#summary(): string {
		return [...this.#tally].map(([kind, times]) => `${kind} ${times}`).join(", ");
	}

	#count(kind: string): void {
		this.#tally.set(kind, (this.#tally.get(kind) ?? 0) + 1);
	}

	#failed(kind: string, file: string, what: string, why: string): void {
		this.failures++;
		this.#count(kind.toUpperCase());
		print(`  ${kind.toUpperCase()}: ${what}: ${file}: ${why}`);
	}
}

const [version, steps = "200", seed = "7", wanted] = process.argv.slice(2);
const names = Object.keys(packages) as (keyof typeof packages)[];
for (const each of [7, 5] as const)
	for (const name of names) {
		if ((version ?? String(each)) !== String(each) || (wanted ?? name) !== name) continue;
		const files = filesOf(each, name);
		print(`TypeScript ${versions[each]}, ${name} ${packages[name]}, ${steps} steps, seed ${seed}`);
		await withWorkspace(files, async (ws) => {
			const client = await connectDaemon({ ...ws.env });
			try {
				const fuzz = new Fuzz(ws.root, files, each, client, Number(seed));
				await fuzz.run(Number(steps));
				if (fuzz.failures > 0) process.exitCode = 1;
			} finally {
				client.close();
			}
		});
	}
