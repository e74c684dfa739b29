/** Of each server what it supports and what it does not, a line each. */
export function capabilitiesText(
	servers: readonly {
		readonly server: string;
		readonly version?: string;
		readonly supported: readonly string[];
		readonly unsupported: readonly string[];
		readonly offers: readonly string[];
	}[],
): string {
	return servers
		.flatMap(({ server, version, supported, unsupported, offers }) => [
			[server, version].filter(Boolean).join(" "),
			`  supports: ${supported.join(", ") || "nothing"}`,
			...(unsupported.length > 0 ? [`  does not support: ${unsupported.join(", ")}`] : []),
			`  offers: ${offers.join(", ") || "nothing"}`,
		])
		.join("\n");
}
