import type { ChildProcess } from "node:child_process";
import type { Writable } from "node:stream";

export interface SandboxCommand {
	readonly file: string;
	readonly args: readonly string[];
	/** From descriptor 3 on. */
	readonly inputs: readonly Buffer[];
	readonly ownProcessIds: boolean;
}

const firstInput = 3;

export function inputPipes({ inputs }: SandboxCommand): "pipe"[] {
	return inputs.map(() => "pipe");
}

export function handInputs({ stdio }: ChildProcess, { inputs }: SandboxCommand): void {
	for (const [index, input] of inputs.entries()) {
		const pipe = stdio[firstInput + index] as Writable | null | undefined;
		pipe?.on("error", () => {});
		pipe?.end(input);
	}
}
