import { type AliasContext, defineAlias } from "../../contract/operation.ts";
import { type FieldsOf, t } from "../../contract/schema.ts";
import type { Build } from "../build.ts";
import { profile } from "./agent-lsp.ts";

const project = {
	workspace_dir: t.text("Absolute path to the workspace root"),
	path: t.optional.text("Narrows it: a directory or a file"),
	language: t.optional.text("Instead of what the manifests say"),
};

type Given = FieldsOf<typeof project>;

function toHow({ language }: Given, isBuild: boolean) {
	if (language === undefined) return {};
	return isBuild && language === "typescript" ? { tool: "tsc" } : { language };
}

function joined({ workspace_dir: root, path }: Given): string {
	return path === undefined ? root : path.startsWith("/") ? path : `${root}/${path}`;
}

export const runBuild = defineAlias({
	profile,
	name: "run_build",
	description: "Builds the project with the tool that its manifests name, in a trusted repository.",
	input: t.object(project),
	toInput: (given) => ({ path: joined(given), ...toHow(given, true) }),
	toOutput: ({ outcome, failures, command, output }: Build, _given, { absolute }: AliasContext) => ({
		success: outcome === "passed",
		errors: failures.map(({ file, line, column, message }) => ({
			file: file === undefined ? "" : absolute(file),
			line: line ?? 0,
			column: column ?? 0,
			message,
		})),
		raw: `${command}\n${output}`,
	}),
	note: unproven,
});

export const runTests = defineAlias({
	profile,
	name: "run_tests",
	description: "Runs the project's tests with the tool that its manifests name, in a trusted repository.",
	input: t.object(project),
	toInput: (given) => ({ paths: [joined(given)], ...toHow(given, false) }),
	toOutput: ({ outcome, failures, command, output }: Build, _given, { absolute }: AliasContext) => ({
		passed: outcome === "passed",
		failures: failures.map(({ file, line, test, message, location }) => ({
			file: file === undefined ? "" : absolute(file),
			line: line ?? 0,
			test_name: test ?? "",
			message,
			...(location === undefined ? {} : { location }),
		})),
		raw: `${command}\n${output}`,
	}),
	note: unproven,
});

function unproven({ outcome }: Build): string | undefined {
	if (outcome === "timed_out") return "The time was over: nothing is proven.";
	return outcome === "nothing" ? "There was no test: nothing is proven." : undefined;
}
