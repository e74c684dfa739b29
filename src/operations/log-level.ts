import { defineOperation } from "../contract/operation.ts";
import { t } from "../contract/schema.ts";
import * as agentLsp from "./compat/agent-lsp-control.ts";

const levels = ["events", "stderr", "frames"] as const;

export const logLevel = defineOperation({
	name: "log_level",
	title: "Set the daemon's log level",
	description:
		"Sets what the daemon logs from now on: `events` (starts, ends, faults), `stderr` (also each check, and what servers write to their standard error), `frames` (also every message, without source or secrets). `pi-lsp daemon logs` shows it.",
	effect: "control",
	input: t.object({ level: t.oneOf(levels, "What is logged") }),
	output: t.object({ level: t.oneOf(levels, "What is logged") }),
	aliases: [agentLsp.logLevel],
	positional: ["level"],
	example: { input: { level: "stderr" }, output: { level: "stderr" } },
	async run({ level }, on) {
		on.daemon.setDebug(level === "frames" ? 2 : level === "stderr" ? 1 : 0);
		return { level };
	},
	render: ({ level }) => `The log holds ${level} from now on.`,
});
