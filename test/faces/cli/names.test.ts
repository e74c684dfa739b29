import { expect, test } from "vitest";
import { commands } from "../../../src/faces/cli/commands.ts";
import { operations } from "../../../src/operations/index.ts";

test("no command of the shell has the name of an operation, since one of them could never be called", () => {
	expect(operations.map(({ name }) => name).filter((name) => Object.hasOwn(commands, name))).toEqual([]);
});
