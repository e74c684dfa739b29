import { dirname } from "node:path";
import { LspError } from "../contract/errors.ts";

const words: Readonly<Record<string, string>> = {
	ENOSPC: "the disk is full",
	EDQUOT: "the quota is used up",
	EROFS: "the file system is read-only",
	EACCES: "it is not permitted",
	EPERM: "it is not permitted",
	EXDEV: "it would go to another file system",
};

/** LSP_WRITE_FAILED names the directory: files and their record may be on different disks. */
export function writeError(thrown: unknown): LspError {
	if (thrown instanceof LspError) return thrown;
	const { code, message, path, dest = path } = thrown as NodeJS.ErrnoException & { readonly dest?: string };
	const where = dest === undefined ? "" : ` to ${dirname(dest)}`;
	const why = (code && words[code]) ?? message;
	return new LspError("LSP_WRITE_FAILED", `The change could not be written${where}: ${why}.`, {}, { cause: thrown });
}
