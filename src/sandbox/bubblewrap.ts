import type { SandboxCommand } from "../process/sandbox-command.ts";
import { type AccessRule, inOrder } from "./access-rules.ts";

export interface BubblewrapOptions {
	readonly rules: readonly AccessRule[];
	readonly cwd: string;
	readonly filter: Buffer | undefined;
}

const [argumentsDescriptor, filterDescriptor] = [3, 4];

export function bubblewrap(file: string, options: BubblewrapOptions): SandboxCommand {
	const { filter } = options;
	const args = bubblewrapArguments(options);
	return {
		file,
		args: ["--args", `${argumentsDescriptor}`, "--"],
		inputs: [Buffer.from(args.map((word) => `${word}\0`).join("")), ...(filter ? [filter] : [])],
		ownProcessIds: true,
	};
}

/** A repository's link may lead there, and reading never ends. */
const endlessDevices = ["/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/** No network, processes or privileges; a read-only disk but for the rules; ends with its parent. */
export function bubblewrapArguments({ rules, cwd, filter }: BubblewrapOptions): string[] {
	return [
		"--unshare-all",
		"--die-with-parent",
		...["--cap-drop", "ALL"],
		...["--ro-bind", "/", "/"],
		...["--dev", "/dev"],
		...endlessDevices.flatMap(hidden),
		...["--proc", "/proc"],
		...inOrder(rules).flatMap(mount),
		...(filter ? ["--seccomp", `${filterDescriptor}`] : []),
		...["--chdir", cwd],
	];
}

function mount({ path, access, isDirectory }: AccessRule): string[] {
	switch (access) {
		case "hidden":
			return isDirectory ? ["--perms", "0555", "--tmpfs", path] : hidden(path);
		case "private":
			return ["--perms", "0700", "--tmpfs", path];
		case "read":
			return ["--ro-bind", path, path];
		case "write":
			return ["--bind", path, path];
	}
}

/** A device on a mount without devices cannot be opened. */
function hidden(path: string): string[] {
	return ["--ro-bind", "/dev/null", path];
}
