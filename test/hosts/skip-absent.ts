import { beforeEach } from "vitest";
import { HOST, isInstalled } from "../faces/pi/hosts.ts";

// A host that could not be installed is neither a failure nor a success: its tests are named as skipped.
beforeEach(({ skip }) => {
	if (!isInstalled(HOST)) skip(`pi ${HOST.name} is not installed: node scripts/install-hosts.mjs`);
});
