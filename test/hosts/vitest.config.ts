import { configDefaults, defineConfig } from "vitest/config";
import { SummaryReporter } from "../support/summary-reporter.ts";

// The tests of pi-lsp inside pi once more, inside the second host, and those that are about that host alone.
export default defineConfig({
	test: {
		include: ["test/hosts/**/*.test.ts", "test/pi-*.test.ts"],
		// The harness has its own tests under `npm test`.
		exclude: [...configDefaults.exclude, "test/faces/pi/harness.test.ts"],
		env: { PI_LSP_TEST_HOST: "0.87.1" },
		setupFiles: "test/hosts/skip-absent.ts",
		globalSetup: "test/support/build-once.ts",
		pool: "forks",
		maxWorkers: 2,
		minWorkers: 1,
		testTimeout: 60_000,
		hookTimeout: 60_000,
		reporters: ["default", new SummaryReporter()],
	},
});
