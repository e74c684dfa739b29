import type { SandboxCommand } from "../process/sandbox-command.ts";
import { type AccessRule, inOrder } from "./access-rules.ts";

/** What bubblewrap does for a program. */
export interface BubblewrapOptions {
	readonly rules: readonly AccessRule[];
	/** Where the program is started. */
	readonly cwd: string;
	/** Which system calls are refused, as the kernel takes it. */
	readonly filter: Buffer | undefined;
}

/** The descriptors from which bubblewrap reads its arguments and its filter. */
const [argumentsDescriptor, filterDescriptor] = [3, 4];

/** How bubblewrap, the program `file`, is started; see `bubblewrapArguments`. */
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

/**
 * What it is told: namespaces of their own for the program (no network, no process but its own), no privileges, everything
 * read-only but what the rules say, gone with us.
 */
export function bubblewrapArguments({ rules, cwd, filter }: BubblewrapOptions): string[] {
	return [
		"--unshare-all",
		"--die-with-parent",
		...["--cap-drop", "ALL"],
		...["--ro-bind", "/", "/"],
		...["--dev", "/dev"],
		...["--proc", "/proc"],
		...inOrder(rules).flatMap(mount),
		...(filter ? ["--seccomp", `${filterDescriptor}`] : []),
		...["--chdir", cwd],
	];
}

function mount({ path, access, isDirectory }: AccessRule): string[] {
	switch (access) {
		case "hidden":
			// A device on a mount without devices: it cannot be opened.
			return isDirectory ? ["--perms", "0555", "--tmpfs", path] : ["--ro-bind", "/dev/null", path];
		case "private":
			return ["--perms", "0700", "--tmpfs", path];
		case "read":
			return ["--ro-bind", path, path];
		case "write":
			return ["--bind", path, path];
	}
}
