// Preloaded into a daemon (node --require): at SIGUSR2 it writes how late its event loop was since the last signal as JSON
// into the file that PI_LSP_PROBE names: { p99, max }, in milliseconds, and restarts the measurement.
const { renameSync, writeFileSync } = require("node:fs");
const { monitorEventLoopDelay } = require("node:perf_hooks");

// The delay of an idle loop is this resolution, not 0.
const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();

process.on("SIGUSR2", () => {
	const measured = { p99: delay.percentile(99) / 1e6, max: delay.max / 1e6 };
	delay.reset();
	writeFileSync(`${process.env.PI_LSP_PROBE}.draft`, JSON.stringify(measured));
	renameSync(`${process.env.PI_LSP_PROBE}.draft`, process.env.PI_LSP_PROBE);
});
