import { expect, test } from "vitest";
import { Background } from "../../src/diagnostics/background.ts";
import { withFake } from "../fakes/fake.ts";

const script = {
	capabilities: { diagnosticProvider: { interFileDependencies: true, workspaceDiagnostics: false } },
	on: [{ method: "textDocument/diagnostic", do: [{ reply: { kind: "full", items: [] } }] }],
};

test("files are proven with the texts of their own caller, even if another caller's files have the same paths", () =>
	withFake(script, async (fake) => {
		const path = fake.write("a.fake", "on disk");
		const background = (await fake.start()).part(Background);
		const prove = (text: string) =>
			background.proveWithTexts(new Map([[path, text]]), [path], AbortSignal.timeout(10_000));
		const proofs = await Promise.all(["one", "other"].map(prove));
		expect(proofs.map(([proof]) => proof?.text)).toEqual(["one", "other"]);
	}));
