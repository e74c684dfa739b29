import { beforeEach, describe, expect, test } from "vitest";
import { LspError } from "../../../src/contract/errors.ts";
import { type PhaseCall, phaseCallOf } from "../../../src/faces/skills/phase-call.ts";
import { SkillBinding } from "../../../src/faces/skills/skill-binding.ts";
import type { PhaseViolation, SkillPhase } from "../../../src/operations/skill-phases.ts";

const cwd = "/project";
const target = { file: "src/a.ts", symbol: "greet", new_name: "welcome" };
const clean = {
	files: [{ path: "src/a.ts", role: "edited", state: "fresh", diagnostics: [] }],
	servers: [],
	omitted: { diagnostics: 0, files: 0 },
};
const written = { written: ["src/a.ts"], diff: "", check: clean };

let binding: SkillBinding;

beforeEach(() => {
	binding = new SkillBinding();
});

async function activate(name: string, mode?: string): Promise<void> {
	await binding.answer("activate_skill", { name, ...(mode === undefined ? {} : { mode }) }, "core");
}

async function state(of = binding): Promise<SkillPhase> {
	return (await of.answer("get_skill_phase", {}, "core")) as SkillPhase;
}

/** Makes the call; with an output it succeeds. */
function call(tool: string, input: object, output?: object): void {
	binding.begin(phaseCallOf(tool, input, cwd), "core")(output);
}

function host(tool: "edit" | "write", input: PhaseCall["input"], output?: object): void {
	binding.begin({ tool, input, cwd, writes: true }, "core")(output);
}

function violation(attempt: () => void): PhaseViolation {
	try {
		attempt();
	} catch (error) {
		if (error instanceof LspError) {
			expect(error.code).toBe("LSP_PHASE_VIOLATION");
			return error.details as unknown as PhaseViolation;
		}
	}
	throw new Error("it was let through");
}

/** The call that a violation names. */
function next({ recovery }: PhaseViolation): { readonly tool: string; readonly input: object } {
	const [, tool = "", args = ""] = /^Next: (\S+) (\{.*\})$/s.exec(recovery) ?? [];
	return { tool, input: JSON.parse(args) as object };
}

describe("lsp-rename", () => {
	test("proceeds from the preview over the rename to the proof, and is then no longer active", async () => {
		await activate("rename");
		expect(await state()).toMatchObject({ active: true, skill_name: "lsp-rename", mode: "block", total_phases: 3 });
		call("rename", { ...target, dry_run: true }, { written: [] });
		expect((await state()).current_phase).toBe("apply");
		call("rename", target, written);
		expect((await state()).current_phase).toBe("verify");
		call("check", { files: ["src/a.ts"] }, clean);
		expect(await state()).toMatchObject({ active: false });
	});

	test("refuses the rename before the preview, and names the preview of that very rename", async () => {
		await activate("lsp-rename");
		const refused = violation(() => call("rename", target));
		expect(refused).toMatchObject({
			error: "phase_violation",
			tool: "rename",
			skill: "lsp-rename",
			current_phase: "preview",
			reason: expect.stringContaining("phase 1 of 3"),
		});
		expect(next(refused)).toEqual({ tool: "lsp_rename", input: { ...target, dry_run: true } });
	});

	test("refuses another rename than the one that was previewed, and allows it after its own preview", async () => {
		await activate("lsp-rename");
		call("rename", { ...target, dry_run: true }, { written: [] });
		const other = { ...target, new_name: "hello" };
		const refused = violation(() => call("rename", other));
		expect(next(refused).input).toEqual({ ...other, dry_run: true });
		call("rename", { ...other, dry_run: "true" }, { written: [] });
		violation(() => call("rename", target));
		call("rename", other, written);
		expect((await state()).current_phase).toBe("verify");
	});

	test("takes the edit that the preview has answered with, and no other", async () => {
		await activate("lsp-rename");
		const edit = { changes: { "file:///project/src/a.ts": [] } };
		call("rename", { ...target, return_edit: true }, { written: [], edit });
		violation(() => call("apply_edit", { edit: { changes: { "file:///project/src/b.ts": [] } } }));
		call("apply_edit", { edit: structuredClone(edit) }, written);
		expect((await state()).current_phase).toBe("verify");
	});

	test("does not proceed by a call that fails, writes nothing, or proves another file", async () => {
		await activate("lsp-rename");
		call("rename", { ...target, dry_run: true });
		expect((await state()).current_phase).toBe("preview");
		call("rename", { ...target, dry_run: true }, { written: [] });
		call("rename", target, { written: [] });
		expect((await state()).current_phase).toBe("apply");
		call("rename", target, written);
		const [file] = clean.files;
		call("check", { files: ["src/b.ts"] }, { ...clean, files: [{ ...file, path: "src/b.ts" }] });
		call("check", { files: ["src/a.ts"] }, { ...clean, files: [{ ...file, state: "timed_out" }] });
		const diagnostics = [{ severity: "error", new: true, line: 1, message: "wrong" }];
		call("check", { files: ["src/a.ts"] }, { ...clean, files: [{ ...file, diagnostics }] });
		expect((await state()).current_phase).toBe("verify");
		const old = [{ severity: "error", new: false, line: 1, message: "old" }];
		call("check", { files: ["src/a.ts"] }, { ...clean, files: [{ ...file, diagnostics: old }] });
		expect((await state()).active).toBe(false);
	});

	test("never refuses reading, undo, its own three operations, or the control of servers", async () => {
		await activate("lsp-rename");
		call("hover", { file: "src/a.ts", symbol: "greet" });
		call("undo", {});
		call("restart", {});
		call("simulate_commit", { session: "s1" });
		call("delete_symbol", { file: "src/a.ts", symbol: "greet", dry_run: true });
		expect(await binding.answer("deactivate_skill", {}, "core")).toEqual({
			status: "deactivated",
			skill: "lsp-rename",
		});
		call("rename", target);
	});
});

describe("lsp-safe-edit", () => {
	const edit = { path: "src/a.ts", edits: [{ oldText: "a", newText: "b" }] };
	const judged = { ...clean, new: 0, fixed: 0, mended: [], netDelta: 0, judged: {} };

	beforeEach(async () => {
		await activate("lsp-safe-edit");
	});

	test("lets pi's edit write what a preview in pi-lsp's terms has shown, and only that", async () => {
		const first = next(violation(() => host("edit", edit)));
		expect(first).toEqual({ tool: "lsp_context", input: { file: "src/a.ts" } });
		call("context", { file: "src/a.ts" }, {});
		expect(next(violation(() => host("edit", edit))).input).toEqual({ operation: "preview", input: edit });
		call("preview", { file: "src/a.ts", old_text: "a", new_text: "b" }, judged);
		expect((await state()).current_phase).toBe("apply");
		const other = { path: "src/a.ts", edits: [{ oldText: "a", newText: "c" }] };
		expect(next(violation(() => host("edit", other))).input).toEqual({ operation: "preview", input: other });
		violation(() => host("write", { path: "src/a.ts", content: "b" }));
		violation(() => host("edit", { ...edit, path: "src/b.ts" }));
		host("edit", { ...edit, path: "./src/a.ts" }, { written: ["src/a.ts"] });
		expect((await state()).current_phase).toBe("verify");
	});

	test("distinguishes edits of other files from those that the preview has shown", async () => {
		call("context", { file: "src/a.ts" }, {});
		const parts = (file: string) => [
			{ file, old_text: "a", new_text: "b" },
			{ file: "src/c.ts", deleted: true },
		];
		call("preview", { file: "src/a.ts", edits: parts("src/b.ts") }, judged);
		violation(() => call("apply_if_clean", { edits: parts("src/a.ts") }));
		violation(() => host("edit", edit));
		call("apply_if_clean", { edits: parts("./src/b.ts") }, { written: ["src/b.ts", "src/c.ts"] });
		expect((await state()).current_phase).toBe("verify");
	});

	test("does not proceed while the preview breaks something", async () => {
		call("context", { file: "src/a.ts" }, {});
		const [file] = clean.files;
		const diagnostics = [{ severity: "error", new: true, line: 1, message: "wrong" }];
		call("preview", edit, { ...judged, new: 1, files: [{ ...file, diagnostics }] });
		expect((await state()).current_phase).toBe("preview");
	});
});

test("nothing is refused in mode warn, and each violation is reported once", async () => {
	await activate("lsp-rename", "warn");
	call("rename", target, written);
	const [warning = "{}", ...more] = binding.takeWarnings();
	expect(more).toEqual([]);
	expect(JSON.parse(warning)).toMatchObject({ error: "phase_violation", tool: "rename" });
	expect(binding.takeWarnings()).toEqual([]);
});

test("two sessions do not affect each other", async () => {
	await activate("lsp-rename");
	const other = new SkillBinding();
	await other.answer("deactivate_skill", {}, "core");
	other.begin(phaseCallOf("rename", { ...target, dry_run: true }, cwd), "core")({ written: [] });
	expect((await state()).current_phase).toBe("preview");
	expect((await state(other)).active).toBe(false);
	violation(() => call("rename", target));
});

test("a call that began before the skill was activated, or in another phase, does not advance the phase", async () => {
	const before = binding.begin(phaseCallOf("rename", { ...target, dry_run: true }, cwd), "core");
	await activate("lsp-rename");
	before({ written: [] });
	expect((await state()).current_phase).toBe("preview");
	const first = binding.begin(phaseCallOf("rename", { ...target, dry_run: true }, cwd), "core");
	const second = binding.begin(phaseCallOf("rename", { ...target, dry_run: true }, cwd), "core");
	first({ written: [] });
	second({ written: [] });
	expect((await state()).current_phase).toBe("apply");
});

test("an activation of an unknown skill is an error that names the known ones", async () => {
	const failure = (name: string, mode?: string) => activate(name, mode).catch((error: LspError) => error);
	for (const [name, mode] of [["lsp-explore"], ["nothing"], [""], ["lsp-rename", "hard"]] as const)
		expect(await failure(name, mode)).toMatchObject({ code: "LSP_INVALID_INPUT" });
	expect(await failure("lsp-explore")).toMatchObject({
		details: { suggestion: expect.stringContaining("lsp-rename") },
	});
	expect(await state()).toMatchObject({
		active: false,
		available_skills: expect.arrayContaining(["lsp-green", "lsp-rename", "lsp-verify"]),
	});
});
