// A language server that runs code of the repository, like the real server that its argument names.
// It answers a pull without diagnostics and all other requests with null.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath, pathToFileURL } from "node:url";

const [name] = process.argv.slice(2);
let root = process.cwd();

/** The programs that it runs with these settings. */
const runs = {
	// Build scripts, unless the setting is off.
	"rust-analyzer": (options) => {
		const script = join(root, "build.rs");
		if (options?.cargo?.buildScripts?.enable !== false && existsSync(script)) execFileSync("sh", [script]);
	},
	// Its configuration is a program.
	"vscode-eslint-language-server": () => import(pathToFileURL(join(root, "eslint.config.js")).href).catch(() => {}),
	"pyright-langserver": () =>
		send({ id: "python", method: "workspace/configuration", params: { items: [{ section: "python" }] } }),
};

function send(message) {
	const body = Buffer.from(JSON.stringify({ jsonrpc: "2.0", ...message }));
	process.stdout.write(`Content-Length: ${body.length}\r\n\r\n`);
	process.stdout.write(body);
}

function hear(message) {
	const { id, method, params, result } = message;
	if (method === "initialize") {
		root = params.rootUri ? fileURLToPath(params.rootUri) : root;
		runs[name]?.(params.initializationOptions);
		const diagnosticProvider = { interFileDependencies: false, workspaceDiagnostics: false };
		return send({ id, result: { capabilities: { textDocumentSync: 1, diagnosticProvider } } });
	}
	// Pyright asks the interpreter that it is given for its search path.
	if (id === "python" && result?.[0]?.pythonPath) execFileSync(result[0].pythonPath, ["-c", "import app"]);
	if (method === "exit") process.exit(0);
	if (method === undefined || id === undefined) return;
	send({ id, result: method === "textDocument/diagnostic" ? { kind: "full", items: [] } : null });
}

let rest = Buffer.alloc(0);
process.stdin.on("data", (chunk) => {
	rest = Buffer.concat([rest, chunk]);
	for (;;) {
		const end = rest.indexOf("\r\n\r\n");
		const length = Number(/Content-Length: (\d+)/i.exec(rest.subarray(0, end).toString())?.[1]);
		if (end < 0 || rest.length < end + 4 + length) return;
		const body = rest.subarray(end + 4, end + 4 + length);
		rest = rest.subarray(end + 4 + length);
		hear(JSON.parse(body.toString()));
	}
});
process.stdin.on("end", () => process.exit(0));
