import { expect, test } from "vitest";
import { TYPESCRIPT_PROJECT, type Workspace, withWorkspace } from "../../support/workspace.ts";
import { bash, edit, edited, lsp, write, wrote } from "./calls.ts";
import { type ModelRequest, newToolResults } from "./model-request.ts";
import { withRpcPi } from "./rpc-pi.ts";
import { runPi } from "./run-pi.ts";
import type { ScriptedCall, ScriptedStep } from "./scripted-model.ts";

const FILE = "src/a.ts";
const TEXT = "export const a: number = 1;\n";
const FILES = {
	...TYPESCRIPT_PROJECT,
	[FILE]: TEXT,
	"src/b.ts": TEXT,
	".pi-lsp.json": `{ "coldMs": 50000, "warmMs": 50000 }`,
};
const DONE = { text: "Done." };

const activate = (name: string, mode?: string): ScriptedStep => ({
	calls: [lsp("activate_skill", mode === undefined ? { name } : { name, mode })],
});

/** The answer to a refused call. */
interface Violation {
	readonly error: string;
	readonly current_phase: string;
	readonly recovery: string;
}

function violations(request: ModelRequest): Violation[] {
	return newToolResults(request).map(({ text }) => JSON.parse(text) as Violation);
}

/** Makes the call that the first refusal names. */
const follow: ScriptedStep = (request) => {
	const [first] = violations(request);
	const [, name = "", args = "{}"] = /^Next: (\S+) (\{.*\})$/s.exec(first?.recovery ?? "") ?? [];
	return { calls: [{ name, arguments: JSON.parse(args) as Record<string, unknown> }] };
};

/** Every call that writes, by any tool. */
const beforeAnyLook: readonly ScriptedCall[] = [
	edit(FILE, ["= 1", "= 2"]),
	write(FILE, "export {};\n"),
	write("src/new.ts", "export {};\n"),
	bash("sed -i 's/= 1/= 2/' src/a.ts"),
	bash("echo 'export {};' > src/a.ts"),
	bash("cat src/b.ts >> src/a.ts"),
	bash(`python3 -c "open('src/a.ts', 'w').write('')"`),
	bash(`node -e "require('fs').writeFileSync('src/a.ts', '')"`),
	bash("perl -pi -e 's/1/2/' src/a.ts"),
	bash("cp src/b.ts src/a.ts"),
	bash("cat src/a.ts; rm src/a.ts"),
	bash("cat src/a.ts | tee src/b.ts"),
	bash("cat $(rm src/a.ts)"),
	bash("find src -name a.ts -delete"),
	bash("git checkout -- src/a.ts"),
	bash("sh -c 'rm src/a.ts'"),
	bash("ls && touch src/new.ts"),
	bash("pi-lsp apply_edit src/a.ts 1 2"),
	lsp("apply_edit", { file: FILE, old_text: "1", new_text: "2" }),
	lsp("apply_if_clean", { file: FILE, old_text: "1", new_text: "2" }),
];
const beforeTheProof: readonly ScriptedCall[] = [
	edit(FILE, ["= 2", "= 3"]),
	bash("rm src/a.ts"),
	write("src/new.ts", "export {};\n"),
];

function unchanged(ws: Workspace): void {
	expect(ws.read(FILE)).toBe(TEXT);
	expect(ws.read("src/b.ts")).toBe(TEXT);
}

test("lsp-safe-edit binds pi's own tools: each attempt is refused, and the call that is named is allowed", () =>
	withWorkspace(FILES, async (ws) => {
		const other = [
			edit(FILE, ["= 1", "= 9"]),
			edit("src/b.ts", ["= 1", "= 2"]),
			write(FILE, "export {};\n"),
			bash("rm src/a.ts"),
		];
		let looked = false;
		const run = await runPi(ws, [
			activate("lsp-safe-edit"),
			{ calls: beforeAnyLook },
			(request, index) => {
				unchanged(ws);
				looked = true;
				return follow(request, index);
			},
			{ calls: [edit(FILE, ["= 1", "= 2"]), write("src/new.ts", "export {};\n")] },
			follow,
			{ calls: other },
			{ calls: [bash("cat src/b.ts | head -3"), edit(FILE, ["= 1", "= 2"])] },
			{ calls: beforeTheProof },
			(request) => {
				const [{ recovery } = { recovery: "" }] = violations(request);
				const [, name = "", args = "{}"] = /^Next: (\S+) (\{.*\})$/s.exec(recovery) ?? [];
				return { calls: [{ name, arguments: JSON.parse(args) as Record<string, unknown> }] };
			},
			{ calls: [lsp("get_skill_phase"), write("src/new.ts", "export {};\n")] },
			DONE,
		]);
		expect(looked).toBe(true);
		expect(run.result(0)).toContain('lsp-safe-edit is active (block): phase "look" of 4');
		const refused = [1, 3, 5, 7].flatMap((turn) => run.results(turn).map((text) => JSON.parse(text) as Violation));
		expect(refused).toHaveLength(beforeAnyLook.length + 2 + other.length + beforeTheProof.length);
		for (const { error } of refused) expect(error).toBe("phase_violation");
		expect(
			refused.map(({ current_phase }) => current_phase).filter((phase, index, all) => all[index - 1] !== phase),
		).toEqual(["look", "preview", "apply", "verify"]);
		expect(run.results(6)).toEqual([TEXT, edited(FILE)]);
		expect(ws.read(FILE)).toBe(TEXT.replace("1", "2"));
		const [state, written] = run.results(9);
		expect(state).toMatch(/^No skill is active/);
		expect(written).toBe(wrote("src/new.ts", "export {};\n"));
	}));

test("lsp-verify lets the shell build and test if a phase says so, and nothing else", () =>
	withWorkspace(
		{ ...FILES, "package.json": `{ "type": "module", "scripts": { "test": "node -e 0" } }\n` },
		async (ws) => {
			const run = await runPi(ws, [
				activate("verify"),
				{ calls: [bash("npm test")] },
				{ calls: [lsp("impact", { files: [FILE] })] },
				{ calls: [lsp("check", { files: [FILE] })] },
				{
					calls: [
						bash("npm test > src/a.ts"),
						bash("npm test; rm src/a.ts"),
						bash("npm install evil"),
						edit(FILE, ["= 1", "= 2"]),
					],
				},
				{ calls: [bash("npm test")] },
				{ calls: [lsp("get_skill_phase"), lsp("deactivate_skill")] },
				{ calls: [edit(FILE, ["= 1", "= 2"])] },
				DONE,
			]);
			expect(JSON.parse(run.result(1))).toMatchObject({ error: "phase_violation", current_phase: "changes" });
			for (const text of run.results(4)) expect(JSON.parse(text)).toMatchObject({ current_phase: "build" });
			expect(run.result(5)).not.toContain("phase_violation");
			expect(run.results(6)[0]).toContain('phase "tests"');
			expect(run.result(7)).toBe(edited(FILE));
		},
	));

test("the edit is made in mode warn, and its result reports what was not allowed", () =>
	withWorkspace(FILES, async (ws) => {
		const run = await runPi(ws, [activate("rename", "warn"), { calls: [edit(FILE, ["= 1", "= 2"])] }, DONE]);
		expect(run.result(1)).toMatch(/^Successfully replaced[\s\S]*"error":"phase_violation"/);
		expect(ws.read(FILE)).toBe(TEXT.replace("1", "2"));
	}));

test("a person ends the skill with /lsp skill off", () =>
	withWorkspace(FILES, (ws) => {
		const refusedEdit: ScriptedStep = { calls: [edit(FILE, ["= 1", "= 2"])] };
		const steps = [activate("rename"), refusedEdit, DONE, refusedEdit, DONE];
		return withRpcPi(ws, steps, async (pi) => {
			await pi.ask("Go on.");
			expect(newToolResults(pi.answerTo(1))[0]?.text).toContain("phase_violation");
			unchanged(ws);
			await pi.prompt("/lsp skill off");
			await pi.ask("Go on.");
			expect(newToolResults(pi.answerTo(3))[0]?.text).toBe(edited(FILE));
		});
	}));

test("pi lists the skills as commands, in the words of its tools, and shows none of them to the model", () =>
	withWorkspace(FILES, async (ws) => {
		const prompt = "/skill:lsp-rename src/a.ts a b";
		const { requests } = await runPi(ws, [DONE], { prompt });
		const [system, ...asked] = requests[0]?.messages ?? [];
		expect(system?.text).not.toContain("lsp-rename");
		const text = asked.map((message) => message.text).join("\n");
		expect(text).toContain('`lsp_rename {"file":"FILE","symbol":"SYMBOL","new_name":"NEW_NAME","dry_run":true}`');
		expect(text).toContain("src/a.ts a b");
	}));
