import { configDefaults, defineConfig } from "vitest/config";
import { SummaryReporter } from "./test/support/summary-reporter.ts";

export default defineConfig({
	test: {
		include: ["test/**/*.test.ts"],
		// Another pi and other agents, with commands of their own: npm run test:hosts, npm run test:agents.
		exclude: [...configDefaults.exclude, "test/hosts/**", "test/agents/**"],
		globalSetup: "test/support/build-once.ts",
		pool: "forks",
		// Every test drives pi, a daemon and a compiler, and waits for more than half of its time.
		maxWorkers: 3,
		minWorkers: 1,
		testTimeout: 60_000,
		hookTimeout: 60_000,
		// A rare failure is named with its error at the end of the run, and does not hide what the others say.
		retry: 1,
		reporters: ["default", new SummaryReporter()],
	},
});
