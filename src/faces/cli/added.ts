import { readSettings } from "../../config/read-settings.ts";
import type { AnyOperation } from "../../contract/operation.ts";
import { extensionOperations } from "../../operations/extension-operations.ts";

export async function addedOperations(): Promise<AnyOperation[]> {
	const settings = await readSettings(process.cwd(), { withoutTrust: true }).catch(() => undefined);
	return settings?.enabled ? extensionOperations(settings.extension) : [];
}
