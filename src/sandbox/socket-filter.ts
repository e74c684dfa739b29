/** Of system calls. io_uring makes sockets without `socket`. */
const architectures: Readonly<
	Partial<Record<NodeJS.Architecture, { readonly audit: number; readonly socket: number }>>
> = {
	x64: { audit: 0xc000003e, socket: 41 },
	arm64: { audit: 0xc00000b7, socket: 198 },
};
const ioUringSetup = 425;
/** On x64 this bit selects the x32 table, with other numbers. */
const otherTable = 0x40000000;

const unixFamily = 1;
const vsockFamily = 40;

const allow = 0x7fff0000;
const killProcess = 0x80000000;
const refuse = (errno: number) => 0x00050000 | errno;
const EACCES = 13;
const ENOSYS = 38;

const load = 0x20;
const jumpIfEqual = 0x15;
const jumpIfAtLeast = 0x35;
const answer = 0x06;
const at = { number: 0, architecture: 4, firstArgument: 16 };

/**
 * Refuses AF_UNIX and AF_VSOCK, which a network namespace leaves open (docs/facts.md, 27), not `socketpair`. Undefined
 * for an unknown processor.
 */
export function socketFilter(architecture: NodeJS.Architecture = process.arch): Buffer | undefined {
	const numbers = architectures[architecture];
	if (!numbers) return undefined;
	// Jumps: lines to skip if true, and if false.
	return encoded([
		[load, 0, 0, at.architecture],
		[jumpIfEqual, 1, 0, numbers.audit],
		[answer, 0, 0, killProcess],
		[load, 0, 0, at.number],
		[jumpIfAtLeast, 0, 1, otherTable],
		[answer, 0, 0, killProcess],
		[jumpIfEqual, 0, 1, ioUringSetup],
		[answer, 0, 0, refuse(ENOSYS)],
		[jumpIfEqual, 1, 0, numbers.socket],
		[answer, 0, 0, allow],
		[load, 0, 0, at.firstArgument],
		[jumpIfEqual, 2, 0, unixFamily],
		[jumpIfEqual, 1, 0, vsockFamily],
		[answer, 0, 0, allow],
		[answer, 0, 0, refuse(EACCES)],
	]);
}

type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, value: number];

/** `struct sock_filter`, little-endian on both processors. */
function encoded(instructions: readonly Instruction[]): Buffer {
	const bytes = Buffer.alloc(instructions.length * 8);
	for (const [index, [code, ifTrue, ifFalse, value]] of instructions.entries()) {
		bytes.writeUInt16LE(code, index * 8);
		bytes.writeUInt8(ifTrue, index * 8 + 2);
		bytes.writeUInt8(ifFalse, index * 8 + 3);
		bytes.writeUInt32LE(value >>> 0, index * 8 + 4);
	}
	return bytes;
}
