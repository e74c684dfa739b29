// Loaded into a daemon by a test (--require): blocks its event loop at SIGUSR2, like a hostile text.
process.on("SIGUSR2", () => {
	setImmediate(function blockedByTest() {
		/(a+)+b/.test("a".repeat(60));
	});
});
