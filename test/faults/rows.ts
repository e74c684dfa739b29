import { life } from "./a-life.ts";
import { wire } from "./b-wire.ts";
import { server } from "./c-server.ts";
import { protocol } from "./d-protocol.ts";
import { files } from "./e-files.ts";
import { writer } from "./f-writer.ts";
import { security } from "./g-security.ts";
import { attacks } from "./h-attacks.ts";
import type { Row } from "./row.ts";

/** Every row of the groups A to G, and H: what attackers tried. */
export const rows: readonly Row[] = [
	...life,
	...wire,
	...server,
	...protocol,
	...files,
	...writer,
	...security,
	...attacks,
];
