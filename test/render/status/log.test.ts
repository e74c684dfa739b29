import { expect, test } from "vitest";
import { logLine } from "../../../src/render/status/log.ts";

test("an event is one readable line", () => {
	const event = { time: "2026-01-02T03:04:05.678Z", pid: 7, event: "starting", server: "gopls", command: "gopls -x" };
	expect(logLine(JSON.stringify(event))).toBe("2026-01-02T03:04:05.678Z 7 starting server=gopls command=gopls -x");
	expect(logLine(JSON.stringify({ ...event, command: "a\nb\u001b[1m" }))).toMatch(/command=a b\[1m$/);
});

test("a line that is no event is shown unchanged", () => {
	expect(logLine("FATAL ERROR: heap out of memory")).toBe("FATAL ERROR: heap out of memory");
	expect(logLine("7")).toBe("7");
});
