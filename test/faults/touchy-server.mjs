// The fake server of test/servers, which falls over some texts: node touchy-server.mjs SCRIPT
// A message that holds the word POISON ends it with code 3, one that holds HOG makes it take memory until it dies.
import process from "node:process";

const on = process.stdin.on.bind(process.stdin);
const hog = [];

function touch(chunk) {
	if (chunk.includes("POISON")) process.exit(3);
	while (chunk.includes("HOG")) hog.push(new Array(100_000).fill({}).map(() => ({ hog })));
}

process.stdin.on = (event, listener) =>
	on(
		event,
		event === "data"
			? (chunk) => {
					touch(chunk);
					listener(chunk);
				}
			: listener,
	);

await import("../fakes/fake-server.mjs");
