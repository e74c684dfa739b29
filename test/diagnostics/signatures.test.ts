import { expect, test } from "vitest";
import { readSignatures } from "../../src/diagnostics/signatures.ts";
import { withFake } from "../fakes/fake.ts";

const code = "int total(int count)";

test.each([
	["Markdown", { kind: "markdown", value: `\`\`\`c++\n${code}\n\`\`\`\nAdds up.` }],
	["a block with its language and a text (jdtls)", [{ language: "java", value: code }, "Adds up."]],
	["a text alone", code],
])("a signature is the code of a hover, without its documentation: %s", (_, contents) =>
	withFake({ on: [{ method: "textDocument/hover", do: [{ reply: { contents } }] }] }, async (fake) => {
		const server = await fake.start();
		const path = fake.write("a.fake", "total");
		const document = server.documents.set(path, "fake", "total", undefined);
		const names = [{ path: "total", at: 0 }];
		const signatures = await readSignatures(server, document, names, AbortSignal.timeout(10_000));
		expect(signatures.get("total")).toBe(code);
	}),
);
