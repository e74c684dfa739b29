import { describe, expect, test } from "vitest";
import { usesIn } from "../../../src/impact/outline/concurrent-starts.ts";

/** The start of each use of `f` in a text, `in NAME` for one that the function of that name runs itself. */
async function startsIn(path: string, lines: readonly string[], isFunction = true) {
	const spots = lines.flatMap((line, index) =>
		[...line.matchAll(/\bf\b/g)].map((found) => ({ line: index + 1, column: found.index + 1 })),
	);
	const uses = await usesIn(path, `${lines.join("\n")}\n`, spots, isFunction);
	return uses?.map(({ how, within }) => how ?? (within ? `in ${within.name}` : undefined));
}

interface Case {
	readonly path: string;
	/** The function around the statements. */
	readonly around: readonly [before: string, after: string];
	/** A statement with one use, and its start; undefined if it has none. */
	readonly statements: Readonly<Record<string, string | undefined>>;
}

const cases: readonly Case[] = [
	{
		path: "/a.go",
		around: ["package p; func outer() {", "}"],
		statements: {
			"go f(1)": "go",
			"go s.f()": "go",
			"go run(f)": "go",
			"go run(f())": undefined,
			"go func() { f() }()": "go",
			"defer f()": undefined,
			"group.Go(f)": "group.Go",
			"time.AfterFunc(1, func() { f() })": "time.AfterFunc",
			'http.HandleFunc("/", f)': "http.HandleFunc",
		},
	},
	{
		path: "/a.ts",
		around: ["async function outer() {", "}"],
		statements: {
			"setTimeout(f, 1);": "setTimeout",
			"window.setTimeout(() => f(), 1);": "window.setTimeout",
			"setTimeout(f(), 1);": undefined,
			"await f();": undefined,
			"await Promise.all([f(), 1]);": "Promise.all",
			"await Promise.all(all.map(f));": "Promise.all",
			"await Promise.all(all.map((each) => f(each)));": "Promise.all",
			"await Promise.all(make(f()));": undefined,
			"made.then(f);": "made.then",
			"all.forEach(f);": undefined,
			"self.onmessage = () => f();": "onmessage",
			'parentPort?.on("message", f);': "parentPort?.on",
		},
	},
	{
		path: "/a.py",
		around: ["async def outer():", "    pass"],
		statements: {
			"    threading.Thread(target=f).start()": "threading.Thread",
			"    threading.Thread(target=run, args=(f(),)).start()": undefined,
			"    asyncio.create_task(f())": "asyncio.create_task",
			"    asyncio.create_task(make(f()))": undefined,
			"    asyncio.create_task(asyncio.wait_for(f(), 1))": "asyncio.create_task",
			"    await asyncio.gather(f(), other())": "asyncio.gather",
			"    await f()": undefined,
			"    executor.submit(lambda: f())": "executor.submit",
			"    pool.map(f, all)": "pool.map",
			"    list(map(f, all))": undefined,
		},
	},
	{
		path: "/a.rs",
		around: ["async fn outer() {", "}"],
		statements: {
			"std::thread::spawn(f);": "std::thread::spawn",
			"scope.spawn(move || { f() });": "scope.spawn",
			"tokio::spawn(f());": "tokio::spawn",
			"tokio::spawn(async move { f().await });": "tokio::spawn",
			"tokio::join!(f(), g());": "tokio::join",
			"f().await;": undefined,
			"all.iter().map(f);": undefined,
		},
	},
	{
		path: "/a.cpp",
		around: ["void outer() {", "}"],
		statements: {
			"std::thread one(f);": "std::thread",
			"std::thread one([&] { f(); });": "std::thread",
			"auto one = std::thread{f};": "std::thread",
			"std::async(std::launch::async, f);": "std::async",
			"pthread_create(&one, NULL, f, NULL);": "pthread_create",
			"f();": undefined,
		},
	},
];

describe.each(cases)("$path", ({ path, around: [before, after], statements }) => {
	test.each(Object.entries(statements))("%s", async (statement, how) => {
		expect(await startsIn(path, [before, statement, after])).toEqual([how ?? "in outer"]);
	});
});

test("an argument of a field is evaluated before the start, a closure after it", async () => {
	const read = (statement: string) => startsIn("/a.go", ["package p", `func outer() { ${statement} }`], false);
	expect(await read("go run(s.f)")).toEqual(["in outer"]);
	expect(await read("group.Go(s.f)")).toEqual(["in outer"]);
	expect(await read("go func() { s.f++ }()")).toEqual(["go"]);
});

test("an anonymous function is followed by the variable or the field that holds it", async () => {
	expect(await startsIn("/a.go", ["package p", "func outer() { work := func() { f() } }"])).toEqual(["in work"]);
	expect(await startsIn("/a.ts", ["class Worker { run = () => f(); }"])).toEqual(["in run"]);
	expect(await startsIn("/a.ts", ["const run = function () { f(); };"])).toEqual(["in run"]);
	expect(await startsIn("/a.ts", ["self.run = () => f();"])).toEqual(["in run"]);
});

test("`run` of a class that extends a thread is started by it, and `run` of another class is not", async () => {
	const run = (bases: string) => startsIn("/a.py", [`class Worker(${bases}):`, "    def run(self):", "        f()"]);
	expect(await run("threading.Thread")).toEqual(["threading.Thread"]);
	expect(await run("Command")).toEqual(["in run"]);
});

test("a line of a file with carriage returns has the same number", async () => {
	const uses = await usesIn(
		"/a.go",
		"package p\r\nfunc outer() {\r\n\tgo f()\r\n}\r\n",
		[{ line: 3, column: 5 }],
		true,
	);
	expect(uses).toEqual([{ how: "go" }]);
});

test("a language without a grammar has no answer", async () => {
	expect(await startsIn("/a.java", ["class A { void m() { f(); } }"])).toBeUndefined();
});
