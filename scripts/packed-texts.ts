import { commands } from "../src/faces/cli/commands.ts";
import { overview, version } from "../src/faces/cli/help.ts";

export { apiTypes } from "./api-types.ts";
export { manPage } from "./man-page.ts";

/** The output of `pi-lsp --help` and `--version`, by the file that src/faces/cli/start.ts reads it from. */
export function printedTexts(): Readonly<Record<string, string>> {
	return { "help.txt": `${overview(commands)}\n`, "version.txt": `${version()}\n` };
}
