/** The shell's door to pi-lsp. */
import { main } from "./src/faces/cli/main.ts";

// A reader that has closed its end (`| head`) has read enough.
for (const stream of [process.stdout, process.stderr])
	stream.on("error", (error: NodeJS.ErrnoException) => {
		if (error.code !== "EPIPE") throw error;
	});
// exitCode, not exit(): a pipe whose reader is slow would lose the end of the output.
main(process.argv.slice(2)).then((code) => {
	process.exitCode = code;
});
