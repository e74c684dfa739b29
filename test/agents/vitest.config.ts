import { defineConfig } from "vitest/config";
import { SummaryReporter } from "../support/summary-reporter.ts";

// pi-lsp inside other coding agents, which a scripted model drives: npm run test:agents.
export default defineConfig({
	test: {
		include: ["test/agents/**/*.test.ts"],
		globalSetup: "test/support/build-once.ts",
		pool: "forks",
		maxWorkers: 1,
		minWorkers: 1,
		testTimeout: 120_000,
		reporters: ["default", new SummaryReporter()],
	},
});
