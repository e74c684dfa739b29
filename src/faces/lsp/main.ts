import { type Severity, severities } from "../../contract/check-report.ts";
import { Connection } from "../../jsonrpc/connection.ts";
import { ContentLengthReader, ContentLengthWriter } from "../../jsonrpc/content-length.ts";
import { callerConfig, callerFor } from "../cli/caller.ts";
import { commandMistake, parseCommand } from "../cli/parse-command.ts";
import { LspClient } from "./client.ts";
import { LspSession } from "./session.ts";

export async function serveLsp(args: readonly string[]): Promise<number> {
	const { daemon, severity, config } = parse(args);
	const caller = await callerFor({ daemon, wait: false });
	const code = await new Promise<number>((exited) => {
		const writer = new ContentLengthWriter(process.stdout);
		const reader = new ContentLengthReader(process.stdin, undefined, (refusal) => {
			writer.write(refusal).catch(() => {});
		});
		const connection: Connection = new Connection(reader, writer, {
			request: (method, params, signal) => session.request(method, params, signal),
			notification: (method, params) => session.notified(method, params),
			closed: () => exited(1),
		});
		const session = new LspSession(new LspClient(connection), caller, {
			severity,
			config: callerConfig(config),
			exited: (result) => {
				session.end();
				exited(result);
			},
		});
		process.once("SIGINT", () => exited(1)).once("SIGTERM", () => exited(1));
	});
	await caller.close();
	// Running calls must not keep the process.
	setTimeout(() => process.exit(code), 0);
	return code;
}

function parse(args: readonly string[]) {
	const options = {
		severity: { type: "string", default: "info" },
		config: { type: "string" },
		"no-daemon": { type: "boolean" },
		// Hosts pass `--stdio` to all servers.
		stdio: { type: "boolean" },
	} as const;
	const { values } = parseCommand("lsp-server", { args: [...args], options });
	const severity = severities.find((each) => each === values.severity);
	if (!severity) throw commandMistake("lsp-server", `--severity is one of ${severities.join(", ")}.`);
	return { daemon: values["no-daemon"] !== true, severity: severity satisfies Severity, config: values.config };
}
