import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { distributionOf, pythonPackages } from "../../src/project/manifests/python-packages.ts";
import { pythonEnvironment } from "../../src/project/python-environment.ts";
import { withWorkspace } from "../support/workspace.ts";

const cfg = "home = /usr/bin\n";

describe("the environment of a Python project", () => {
	test("is found at the root, above it, and by the caller's variables, in this order", () =>
		withWorkspace({ "pkg/a.py": "", "../outside/pyvenv.cfg": cfg, "../conda/conda-meta/history": "" }, async (ws) => {
			const [outside, conda] = [`${ws.base}/outside`, `${ws.base}/conda`];
			const found = async (env: Readonly<Record<string, string>> = {}) => {
				const { directory, brought } =
					(await pythonEnvironment(ws.path("pkg"), ws.root, { HOME: ws.base, ...env })) ?? {};
				return [directory, brought];
			};
			expect(await found()).toEqual([undefined, undefined]);
			expect(await found({ CONDA_PREFIX: conda })).toEqual([conda, false]);
			expect(await found({ CONDA_PREFIX: conda, VIRTUAL_ENV: outside })).toEqual([outside, false]);
			ws.write(".venv/bin/python", "");
			expect(await found({ VIRTUAL_ENV: outside })).toEqual([outside, false]);
			ws.write(".venv/pyvenv.cfg", cfg);
			expect(await found({ VIRTUAL_ENV: outside })).toEqual([ws.path(".venv"), true]);
			ws.write("pkg/venv/pyvenv.cfg", cfg);
			expect(await found()).toEqual([ws.path("pkg/venv"), true]);
			expect(await found({ UV_PROJECT_ENVIRONMENT: "../../outside" })).toEqual([outside, false]);
		}));

	test("is poetry's by its name in the cache", () =>
		withWorkspace({ "pyproject.toml": '[tool.poetry]\nname = "My App"\n' }, async (ws) => {
			const hash = createHash("sha256").update(ws.root).digest("base64url").slice(0, 8);
			ws.write(`../cache/pypoetry/virtualenvs/my_app-${hash}-py3.12/pyvenv.cfg`, cfg);
			const env = { HOME: ws.base, POETRY_CACHE_DIR: `${ws.base}/cache/pypoetry` };
			expect((await pythonEnvironment(ws.root, ws.root, env))?.directory).toContain(`my_app-${hash}-py3.12`);
		}));

	test("has another fingerprint when a package is added", () =>
		withWorkspace({ ".venv/pyvenv.cfg": cfg, ".venv/lib/python3.12/site-packages/a.py": "" }, async (ws) => {
			const stamp = async () => (await pythonEnvironment(ws.root, ws.root, {}))?.stamp;
			const before = await stamp();
			expect(await stamp()).toBe(before);
			ws.write(".venv/lib/python3.12/site-packages/b/__init__.py", "");
			expect(await stamp()).not.toBe(before);
		}));
});

describe("the declared packages of a Python project", () => {
	const cases = {
		"pyproject.toml": [
			'[project]\nname = "x"\ndependencies = [\n  "uvicorn[standard]>=0.2", # ours\n  \'PyYAML ~= 6.0\',\n]\n[dependency-groups]\ndev = ["pytest"]\n',
			["uvicorn", "pyyaml", "pytest"],
			".venv/bin/pip install -e .",
		],
		"requirements-dev.txt": [
			"-r base.txt\n# none\nDjango==5.0\nruff ; python_version > '3'\n",
			["django", "ruff"],
			".venv/bin/pip install -r requirements-dev.txt",
		],
		Pipfile: ['[packages]\nflask = "*"\n[dev-packages]\npytest = "*"\n', ["flask", "pytest"], "pipenv install --dev"],
	} as const;

	for (const [name, [text, declared, command]] of Object.entries(cases))
		test(name, () =>
			withWorkspace({ [name]: text }, async (ws) => {
				const found = await pythonPackages(ws.root, ws.root);
				expect(found?.declared).toEqual(declared);
				expect(found?.manifest).toBe(name);
				expect(found?.command(undefined)).toBe(name === "Pipfile" ? command : `python -m venv .venv && ${command}`);
			}),
		);

	test("are those of poetry's tables, without Python itself", () =>
		withWorkspace(
			{
				"pyproject.toml":
					'[tool.poetry.dependencies]\npython = "^3.12"\nrequests = { version = "2", extras = ["socks"] }\n',
			},
			async (ws) => {
				const found = await pythonPackages(ws.root, ws.root);
				expect([found?.declared, found?.command(undefined)]).toEqual([["requests"], "poetry install"]);
			},
		));

	test("of a group of requirements that includes another one are only its own", () =>
		withWorkspace(
			{ "pyproject.toml": '[dependency-groups]\ndev = ["pytest", { include-group = "lint" }]\n"lint" = ["ruff"]\n' },
			async (ws) => expect((await pythonPackages(ws.root, ws.root))?.declared).toEqual(["pytest", "ruff"]),
		));

	test("are none in a file that is no TOML", () =>
		withWorkspace({ "pyproject.toml": "[project]\ndependencies = [\n" }, async (ws) => {
			expect(await pythonPackages(ws.root, ws.root)).toBeUndefined();
		}));

	test.each([
		["yaml", "pyyaml"],
		["dotenv", "python-dotenv"],
		["psycopg2.extras", "psycopg2-binary"],
		["sklearn.svm", "scikit-learn"],
		["google.cloud.storage", "google-cloud-storage"],
		["os", undefined],
	])("are found in the distribution of %s", (module, distribution) => {
		const declared = [
			"pyyaml",
			"python-dotenv",
			"psycopg2-binary",
			"scikit-learn",
			"google-auth",
			"google-cloud-storage",
		];
		expect(distributionOf(module, declared)).toBe(distribution);
	});
});
