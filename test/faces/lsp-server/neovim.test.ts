import { existsSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { expect, test } from "vitest";
import { findProgram, folder } from "../../live/languages.ts";
import { CLI } from "../../support/repository.ts";
import { runCommand } from "../../support/run-command.ts";
import { TYPESCRIPT_PROJECT, withWorkspace } from "../../support/workspace.ts";

/** The folder into which `scripts/install-servers.mjs` unpacks it, else the machine's. */
const own = join(folder, "neovim/usr/bin/nvim");
const nvim = existsSync(own) ? own : findProgram("nvim");

/** The steps of a person, and the state that Neovim shows after each, one line of JSON each. */
const script = `
local function say(what, value) io.stdout:write(vim.fn.json_encode({ what, value }) .. "\\n") end
local function codes()
	local found = {}
	for _, one in ipairs(vim.diagnostic.get(0)) do table.insert(found, tostring(one.code)) end
	table.sort(found)
	return table.concat(found, ",")
end
local function shows(wanted)
	vim.wait(30000, function() return codes() == wanted end, 50)
	say("shows", codes())
end
local function edit(from, to)
	vim.cmd("%s/" .. from .. "/" .. to .. "/")
end
vim.o.swapfile = false
vim.cmd("edit src/shop.ts")
local attached = false
local id = vim.lsp.start_client({
	name = "pi-lsp",
	cmd = { vim.env.PI_NODE, vim.env.PI_CLI, "lsp-server" },
	root_dir = vim.fn.getcwd(),
	on_attach = function() attached = true end,
})
vim.lsp.buf_attach_client(0, id)
vim.wait(20000, function() return attached end, 20)
edit("price(1)", 'price("1")')
shows("2345")
edit('price("1")', "price(1)")
shows("")
vim.fn.cursor(2, 31)
local function ask(method, more)
	local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(), more or {})
	local answers = vim.lsp.buf_request_sync(0, method, params, 20000)
	return answers[id] and answers[id].result
end
local place = ask("textDocument/definition")[1]
say("definition", vim.fn.fnamemodify(vim.uri_to_fname(place.uri or place.targetUri), ":t"))
say("hover", vim.fn.matchstr(vim.fn.json_encode(ask("textDocument/hover")), "price(amount: number): number"))
vim.cmd("silent write")
vim.cmd("edit src/money.ts")
vim.lsp.buf_attach_client(0, id)
vim.fn.cursor(1, 17)
vim.lsp.util.apply_workspace_edit(ask("textDocument/rename", { newName = "cost" }), "utf-16")
shows("")
vim.cmd("silent wall")
say("saved", vim.fn.readfile("src/money.ts")[1])
say("saved", vim.fn.readfile("src/shop.ts")[2])
vim.lsp.stop_client(id)
vim.wait(5000, function() return vim.lsp.client_is_stopped(id) end, 20)
vim.cmd("qall!")
`;

test.skipIf(nvim === undefined)(
	"Neovim shows the errors of unsaved texts, and renames in two files",
	{
		timeout: 180_000,
	},
	() =>
		withWorkspace(
			{
				...TYPESCRIPT_PROJECT,
				"src/money.ts": "export function price(amount: number): number {\n\treturn amount;\n}\n",
				"src/shop.ts": `import { price } from "./money.ts";\nexport const total: number = price(1);\n`,
				"session.lua": script,
			},
			async (ws) => {
				const { stdout, stderr } = await runCommand(
					nvim ?? "",
					["--headless", "-u", "NONE", "-i", "NONE", "-c", "luafile session.lua"],
					{
						cwd: ws.root,
						env: { ...ws.env, ...(nvim === own ? runtime() : {}), PI_NODE: process.execPath, PI_CLI: CLI },
						timeoutMs: 150_000,
					},
				);
				ws.record(`${stdout}\n${stderr}`);
				const seen = stdout
					.split("\n")
					.filter((line) => line.startsWith("["))
					.map((line) => JSON.parse(line));
				expect(seen).toEqual([
					["shows", "2345"],
					["shows", ""],
					["definition", "money.ts"],
					["hover", "price(amount: number): number"],
					["shows", ""],
					["saved", "export function cost(amount: number): number {"],
					["saved", "export const total: number = cost(1);"],
				]);
			},
		),
);

/** The variables that an unpacked package needs to run in its folder. */
function runtime(): Record<string, string> {
	const root = join(folder, "neovim/usr");
	return {
		VIMRUNTIME: join(root, "share/nvim/runtime"),
		LD_LIBRARY_PATH: `${join(root, "lib/x86_64-linux-gnu")}:${join(root, "lib")}`,
	};
}
