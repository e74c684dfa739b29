import { expect, test } from "vitest";
import { LspError } from "../../src/contract/errors.ts";
import { withMend } from "../../src/launch/start-failure.ts";

const failed = (stderr: string) => new LspError("LSP_SERVER_START_FAILED", "x failed to start.", { stderr });
const mend = (error: unknown) => (withMend(error, { install: { npm: ["x-ls"] } }) as LspError).details.suggestion;

test.each([
	[
		"java.lang.UnsupportedClassVersionError: org/eclipse/X has been compiled",
		/^Install a newer Java; .* Then use \{\{restart\}\}\.$/,
	],
	[
		"x: error while loading shared libraries: libncurses.so.5: cannot open",
		/^Install the library libncurses\.so\.5\. /,
	],
	["Error: Cannot find module 'typescript'", /^It lacks typescript\. Install it again: npm install -g x-ls\. /],
	["ModuleNotFoundError: No module named 'pygls'", /^It lacks pygls\. Install it again: npm install -g x-ls\. /],
	["Segmentation fault", /^Install it again: npm install -g x-ls\. .*\{\{daemon logs\}\}/],
])("the suggestion after %j is its remedy", (stderr, expected) => expect(mend(failed(stderr))).toMatch(expected));

test("another error, and an error of a server without a recipe, keeps its suggestion", () => {
	const other = new LspError("LSP_SERVER_TIMEOUT", "x did not answer.");
	expect(withMend(other, { install: { npm: ["x-ls"] } })).toBe(other);
	const unknown = failed("Segmentation fault");
	expect(withMend(unknown, {})).toBe(unknown);
});
