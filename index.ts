/** pi's door to pi-lsp: pi calls the default export once when it loads the extension. */

import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import * as agent from "@mariozechner/pi-coding-agent";
import * as tui from "@mariozechner/pi-tui";
import { requireWithCache } from "./src/util/code-cache.ts";

const here = dirname(fileURLToPath(import.meta.url));
// pi loads its extensions anew at /reload, and an update may have come in between.
const { cache } = createRequire(import.meta.url);
for (const file of Object.keys(cache)) if (dirname(file) === here) delete cache[file];

// pi has its own loader, which alone finds its packages, and which would read all of this in 27 ms.
const { registerExtension } = requireWithCache<typeof import("./src/faces/pi/extension.ts")>(
	join(here, "pi-main.cjs"),
	{ "@mariozechner/pi-coding-agent": agent, "@mariozechner/pi-tui": tui },
);
export default registerExtension;
