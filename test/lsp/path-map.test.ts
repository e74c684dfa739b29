import { describe, expect, test } from "vitest";
import { PathMap } from "../../src/lsp/path-map.ts";

const map = new PathMap({ "/home/me/app": "/work", "/home/me/app/lib/": "/usr/lib/app/" });

describe("paths of a server that has the files elsewhere", () => {
	test("are translated wherever a URI stands, the longest directory first", () => {
		const ours = {
			rootPath: "/home/me/app",
			textDocument: { uri: "file:///home/me/app/a%20b.ts" },
			folders: [{ uri: "file:///home/me/app/lib/x.ts", name: "x" }],
			changes: { "file:///home/me/app/b.ts": [{ newText: "file:///home/me/app/b.ts" }] },
		};
		const theirs = {
			rootPath: "/work",
			textDocument: { uri: "file:///work/a%20b.ts" },
			folders: [{ uri: "file:///usr/lib/app/x.ts", name: "x" }],
			changes: { "file:///work/b.ts": [{ newText: "file:///home/me/app/b.ts" }] },
		};
		expect(map.out(ours)).toEqual(theirs);
		expect(map.in(theirs)).toEqual(ours);
	});

	test("leave paths elsewhere, other schemes and names that only begin alike", () => {
		for (const uri of ["file:///home/me/application/a.ts", "jdt:///home/me/app/a.ts", "file:///etc/x", "/home/me/app"])
			expect(map.out({ uri })).toEqual({ uri });
	});

	test("are also given as one pair; a server may spell its URIs in any form", () => {
		const one = new PathMap("/home/me:/root");
		expect(one.out({ uri: "file:///home/me/@x/a.ts" })).toEqual({ uri: "file:///root/@x/a.ts" });
		expect(one.in([null, 1, { targetUri: "file:///root/%40x/a.ts" }])).toEqual([
			null,
			1,
			{ targetUri: "file:///home/me/@x/a.ts" },
		]);
	});
});
