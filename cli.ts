/** The shell's door to pi-lsp. */
import { main } from "./src/faces/cli/main.ts";

// exitCode, not exit(): a pipe whose reader is slow would lose the end of the output.
main(process.argv.slice(2)).then((code) => {
	process.exitCode = code;
});
