import { expect, test } from "vitest";
import { drives } from "../../src/faces/agents/examine/drives.ts";
import type { Step } from "../../src/faces/agents/examine/scripted-model.ts";
import type { Workspace } from "../support/workspace.ts";
import { type Agent, agents, isInstalled } from "./agents.ts";
import { play } from "./play.ts";
import { addedTo, project } from "./project.ts";

const users = ["src/u1.ts", "src/u2.ts", "src/u3.ts"];
const files = {
	...project,
	"src/lib.ts": "export function helper(): number {\n\treturn 1;\n}\n",
	"src/m.ts": 'export const m: string = "m";\n',
	...Object.fromEntries(
		users.map((file, index) => [
			file,
			`import { helper } from "./lib.ts";\nexport const u${index}: number = helper();\n`,
		]),
	),
};
const wrong = "Type 'number' is not assignable to type 'string'. (ts2322)";

/** A host, or one of its kinds of tools. */
interface Way {
	readonly name: string;
	readonly agent: Agent;
	edit(file: string, from: string, to: string): readonly Step[];
	write(file: string, text: string): Step;
	shell(command: string): Step;
	/** A change of two files in one call; absent where the host has no tool for it. */
	patch?(changes: readonly (readonly [file: string, from: string, to: string])[]): Step;
}

const shells: Readonly<Record<string, (command: string) => Step>> = {
	"claude-code": (command) => ({ tool: "Bash", input: { command, description: "run" } }),
	codex: (cmd) => ({ tool: "exec_command", input: { cmd } }),
	gemini: (command) => ({ tool: "run_shell_command", input: { command, description: "run" } }),
	copilot: (command) => ({ tool: "bash", input: { command, description: "run" } }),
	opencode: (command) => ({ tool: "bash", input: { command, description: "run" } }),
};

const patchOf = (changes: readonly (readonly [string, string, string])[]) =>
	[
		"*** Begin Patch",
		...changes.map(([file, from, to]) => `*** Update File: ${file}\n@@\n-${from}\n+${to}`),
		"*** End Patch\n",
	].join("\n");

const plain = agents.map((agent): Way => {
	const write = drives[agent.name]?.write;
	const shell = shells[agent.name];
	if (!write || !shell) throw new Error(`${agent.name} has no tools here`);
	const patch: Way["patch"] = (changes) => ({ tool: "apply_patch", input: patchOf(changes) });
	return { name: agent.name, agent, edit: agent.edit, write, shell, ...(agent.name === "codex" ? { patch } : {}) };
});

const added = (file: string, text: string) =>
	`*** Begin Patch\n*** Add File: ${file}\n+${text.trimEnd()}\n*** End Patch\n`;

/** All edits are patches, for models that have that tool of the host alone. */
function byPatches(
	{ agent, ...way }: Way,
	model: readonly [from: RegExp, to: string],
	call: (patch: string) => Step,
): Way {
	return {
		...way,
		name: `${agent.name}, ${model[1]}`,
		agent: {
			...agent,
			files: (directories) => replaced(agent.files(directories), model),
			env: (directories) => replaced(agent.env(directories), model),
		},
		edit: (...change) => [call(patchOf([change]))],
		write: (file, text) => call(added(file, text)),
		patch: (changes) => call(patchOf(changes)),
	};
}

function replaced(
	texts: Readonly<Record<string, string>>,
	[from, to]: readonly [RegExp, string],
): Record<string, string> {
	return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.replace(from, to)]));
}

const patching = plain.flatMap((way) => {
	if (way.name === "copilot")
		return [byPatches(way, [/^scripted$/, "gpt-5.5"], (input) => ({ tool: "apply_patch", input: { input } }))];
	if (way.name === "opencode") {
		const call = (patchText: string): Step => ({ tool: "apply_patch", input: { patchText } });
		return [byPatches(way, [/(?<="scripted\/)scripted|(?<="models":\{")scripted/g, "gpt-5.2"], call)];
	}
	if (way.name !== "codex") return [];
	// For these models Codex has one tool, which takes JavaScript.
	const exec = (call: string): Step => ({ tool: "exec", input: `const r = await ${call}; text(r.output ?? r);` });
	const inCode = byPatches(way, [/gpt-5\.5/, "gpt-6-sol"], (patch) =>
		exec(`tools.apply_patch(${JSON.stringify(patch)})`),
	);
	return [{ ...inCode, shell: (cmd: string) => exec(`tools.exec_command(${JSON.stringify({ cmd })})`) }];
});

interface Part {
	readonly what: "alternating" | "importers" | "shell" | "patch" | "failed" | "new file" | "repair";
	readonly steps: readonly Step[];
	/** The text that the model has to read after the edit; none for silence. */
	readonly expected: readonly string[];
}

function partsOf(way: Way, ws: Workspace): readonly Part[] {
	const a = ws.path("src/a.ts");
	const text = (value: string) => `export const a: string = ${value};`;
	const values = ['"a"', ...Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? `${index}` : `"a${index}"`))];
	const edit = (file: string, from: string, to: string) => way.edit(ws.path(file), from, to);
	const alternating = values.slice(1).map(
		(value, index): Part => ({
			what: "alternating",
			steps: way.edit(a, text(values[index] ?? ""), text(value)),
			expected: value.startsWith('"') ? [] : [wrong],
		}),
	);
	const renamed = ["export function helper(): number {", "export function helped(): number {"] as const;
	const m = 'export const m: string = "m";';
	const patch: Part[] = way.patch
		? [
				{
					what: "patch",
					steps: [
						way.patch([
							[a, text('"z"'), text("7")],
							[ws.path("src/m.ts"), m, "export const m: string = 8;"],
						]),
					],
					expected: ["src/a.ts", "src/m.ts", wrong],
				},
				{
					what: "repair",
					steps: [
						way.patch([
							[a, text("7"), text('"z"')],
							[ws.path("src/m.ts"), "export const m: string = 8;", m],
						]),
					],
					expected: [],
				},
			]
		: [];
	return [
		...alternating,
		{ what: "importers", steps: edit("src/lib.ts", ...renamed), expected: users },
		{ what: "repair", steps: edit("src/lib.ts", renamed[1], renamed[0]), expected: [] },
		{ what: "shell", steps: [way.shell(`sed -i 's/"a9"/9/' src/a.ts`)], expected: [wrong] },
		{ what: "repair", steps: edit("src/a.ts", text("9"), text('"z"')), expected: [] },
		...patch,
		{ what: "failed", steps: edit("src/a.ts", text('"not there"'), text("5")), expected: [] },
		{
			what: "new file",
			steps: [way.write(ws.path("src/new.ts"), "export const n: string = 1;\n")],
			expected: ["src/new.ts", wrong],
		},
	];
}

const speaks = /ts\d{4,5}\)|newly broke|LSP errors/;

for (const way of [...plain, ...patching])
	test(`${way.name}: the model reads the exact errors of ten alternating edits, of three unopened importers, of a sed command, a patch and a new file; a failed edit is silent`, async ({
		skip,
	}) => {
		if (!isInstalled(way.agent)) skip(`${way.name} is not installed: node scripts/install-hosts.mjs`);
		await play(
			way.agent,
			(ws) => partsOf(way, ws).flatMap(({ steps }) => steps),
			(ws, requests) => {
				const rows: Record<string, { right: number; stale: number; missed: number }> = {};
				const faults: string[] = [];
				let at = 0;
				for (const { what, steps, expected } of partsOf(way, ws)) {
					at += steps.length;
					const news = addedTo(requests[at], requests[at - 1]);
					const row = rows[what] ?? { right: 0, stale: 0, missed: 0 };
					rows[what] = row;
					const isMissed = requests[at] === undefined || !expected.every((part) => news.includes(part));
					const isStale = expected.length === 0 && speaks.test(news);
					row[isMissed ? "missed" : isStale ? "stale" : "right"]++;
					if (isMissed || isStale) faults.push(`${what}: ${news.slice(-1500)}`);
				}
				const shown = Object.entries(rows).map(
					([what, { right, stale, missed }]) => `${what} ${right}/${stale}/${missed}`,
				);
				console.log(`${way.name} (right/stale/missed): ${shown.join(", ")}`);
				const total = Object.values(rows).reduce((sum, { stale, missed }) => sum + stale + missed, 0);
				expect([total, rows.alternating, faults.slice(0, 3)]).toEqual([0, { right: 10, stale: 0, missed: 0 }, []]);
			},
			files,
		);
	});
