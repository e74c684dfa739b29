import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";

/** A program that runs another one in a sandbox. */
export interface SandboxCommand {
	readonly file: string;
	/** What stands in front of the other program's command line. */
	readonly args: readonly string[];
	/** What the program reads to its end from the descriptors above standard error, in their order. */
	readonly inputs: readonly Buffer[];
	/** True if the process ids in there are others than ours, and the program itself stays outside and waits for the end. */
	readonly ownProcessIds: boolean;
}

const firstInput = 3;

/** The pipes for what a program reads, to stand behind those of its standard streams. */
export function inputPipes({ inputs }: SandboxCommand): "pipe"[] {
	return inputs.map(() => "pipe");
}

/** Lets a program go on that was started with `inputPipes`. */
export function handInputs({ stdio }: ChildProcess, { inputs }: SandboxCommand): void {
	for (const [index, input] of inputs.entries()) {
		const pipe = stdio[firstInput + index] as Writable | null | undefined;
		// It is closed early by one that cannot be started; its exit tells why.
		pipe?.on("error", () => {});
		pipe?.end(input);
	}
}
