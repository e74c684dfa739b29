import { describe, expect, test } from "vitest";
import { edit } from "../faces/pi/calls.ts";
import { conversationText } from "../faces/pi/model-request.ts";
import { runPi } from "../faces/pi/run-pi.ts";
import { type Files, withWorkspace } from "../support/workspace.ts";
import { isThere, withServers } from "./languages.ts";

interface Kind {
	readonly language: string;
	readonly program: string;
	readonly files: Files;
	readonly edited: string;
	readonly change: readonly [string, string];
	readonly users: readonly string[];
}

const kinds: readonly Kind[] = [
	{
		language: "PHP",
		program: "intelephense",
		files: {
			"composer.json": '{ "autoload": { "psr-4": { "App\\\\": "src/" } } }',
			"src/Util.php":
				"<?php\nnamespace App;\n\nfinal class Util\n{\n    public static function join(string $a, string $b): string\n    {\n        return $a . $b;\n    }\n}\n",
			"src/One.php": "<?php\nnamespace App;\n\nfunction one(): string\n{\n    return Util::join('a', 'b');\n}\n",
			"src/Sub/Two.php":
				"<?php\nnamespace App\\Sub;\n\nuse App\\Util;\n\nclass Two\n{\n    public function two(): string\n    {\n        return Util::join('a', 'b');\n    }\n}\n",
			"src/Three.php": "<?php\nnamespace App;\n\nfunction three(): string\n{\n    return implode('', ['join']);\n}\n",
		},
		edited: "src/Util.php",
		change: ["function join", "function joined"],
		users: ["src/One.php", "src/Sub/Two.php"],
	},
	{
		language: "Java",
		program: "jdtls",
		files: {
			".project":
				'<?xml version="1.0"?><projectDescription><name>shop</name><buildSpec><buildCommand><name>org.eclipse.jdt.core.javabuilder</name></buildCommand></buildSpec><natures><nature>org.eclipse.jdt.core.javanature</nature></natures></projectDescription>',
			".classpath":
				'<?xml version="1.0"?><classpath><classpathentry kind="src" path="src"/><classpathentry kind="con" path="org.eclipse.jdt.launching.JRE_CONTAINER"/><classpathentry kind="output" path="bin"/></classpath>',
			"src/shop/Util.java":
				"package shop;\n\npublic final class Util {\n    public static String join(String a, String b) {\n        return a + b;\n    }\n}\n",
			"src/shop/One.java": 'package shop;\n\nclass One {\n    String one = Util.join("a", "b");\n}\n',
			"src/shop/sub/Two.java":
				'package shop.sub;\n\nimport shop.Util;\n\nclass Two {\n    String two() {\n        return Util.join("a", "b");\n    }\n}\n',
		},
		edited: "src/shop/Util.java",
		change: ["String join", "String joined"],
		users: ["src/shop/One.java", "src/shop/sub/Two.java"],
	},
	{
		language: "Protocol Buffers",
		program: "buf",
		files: {
			"buf.yaml": "version: v2\n",
			"shop/money.proto": 'syntax = "proto3";\npackage shop;\n\nmessage Money {\n  int64 units = 1;\n}\n',
			"shop/cart.proto":
				'syntax = "proto3";\npackage shop;\n\nimport "shop/money.proto";\n\nmessage Cart {\n  Money total = 1;\n}\n',
		},
		edited: "shop/money.proto",
		change: ["message Money", "message Cash"],
		users: ["shop/cart.proto"],
	},
];

describe.each(kinds)("a renamed method in $language", ({ program, files, edited, change, users }) => {
	test.skipIf(!isThere(program))("has its users reported", { timeout: 300_000 }, () =>
		withWorkspace(
			{ ...files, ".pi-lsp.json": '{ "coldMs": 120000, "warmMs": 60000, "graceMs": 60000, "lateMs": 120000 }' },
			async (ws) => {
				const env = { ...withServers(ws.env), PI_LSP_TRUST: "1" };
				const [from, to] = change;
				const steps = [{ calls: [edit(edited, [from, to])] }, { text: "Done." }];
				const run = await runPi(ws, steps, { env, timeoutMs: 280_000 });
				const last = run.requests.at(-1);
				const conversation = last === undefined ? "" : conversationText(last);
				for (const user of users) expect(conversation).toContain(user);
			},
		),
	);
});
