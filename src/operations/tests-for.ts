import { Type } from "@sinclair/typebox";
import { defineOperation } from "../contract/operation.ts";
import type { ValueOf } from "../contract/schema.ts";
import { listTests } from "../render/answers/tests.ts";
import { File } from "./common/inputs.ts";
import * as agentLsp from "./compat/agent-lsp-symbols.ts";

const defaultLimit = 50;

const Output = Type.Object({
	tests: Type.Array(Type.Object({ path: Type.String(), reason: Type.String() })),
	total: Type.Integer(),
});

export type FileTests = ValueOf<typeof Output>;

export const testsFor = defineOperation({
	name: "tests_for",
	title: "Tests of a file",
	description:
		"The test files of a source file and why: named after it, importing it, or its own. Found by names and imports without a server; it does not see what a test reaches by other ways.",
	effect: "read",
	aliases: [agentLsp.testsFor],
	input: Type.Object({
		file: File,
		limit: Type.Optional(
			Type.Integer({ minimum: 1, description: `At most this many files (default ${defaultLimit})` }),
		),
	}),
	output: Output,
	positional: ["file"],
	example: {
		input: { file: "src/greet.ts" },
		output: { tests: [{ path: "test/greet.test.ts", reason: "named after it, imports it" }], total: 1 },
	},
	async run({ file, limit = defaultLimit }, on) {
		const found = await on.testsFor(file);
		return { tests: found.slice(0, limit), total: found.length };
	},
	render: ({ tests, total }) => listTests(tests, total),
	next({ tests, total }, { file }) {
		if (tests.length >= total) return undefined;
		return { operation: "tests_for", input: { file, limit: total }, why: "All of them" };
	},
});
