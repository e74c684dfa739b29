import { describe, expect, test } from "vitest";
import { childEnvironment, daemonEnvironment, heldBackNames, summaryOf } from "../../src/process/environment.ts";

const shell = { PATH: "/usr/bin", HOME: "/home/me" };

describe("A variable of the caller's environment", () => {
	test.each(["PYTHONPATH", "RUSTFLAGS", "CC", "HTTPS_PROXY", "PKG_CONFIG_PATH", "DOTNET_ROOT", "DB_URL", "GOFLAGS"])(
		"%s is passed to a server, as to a compiler in that shell",
		(name) => {
			expect(childEnvironment({ ...shell, [name]: "x" })).toEqual({ ...shell, [name]: "x", TERM: "dumb" });
			expect(heldBackNames({ ...shell, [name]: "x" })).toEqual([]);
		},
	);

	test.each([
		...["MY_TOKEN", "DB_SECRET", "PGPASSWORD", "CREDENTIALS", "API_KEY", "SSH_AUTH_SOCK", "SESSION_COOKIE", "apikey"],
		...["AWS_PROFILE", "AZURE_TENANT", "GOOGLE_APPLICATION_CREDENTIALS", "GITHUB_ACTOR", "npm_config_registry"],
	])("%s, a secret by its name, is not passed", (name) => {
		expect(childEnvironment({ ...shell, [name]: "x" })).toEqual({ ...shell, TERM: "dumb" });
		expect(heldBackNames({ ...shell, [name]: "x" })).toEqual([name]);
	});

	test.each([
		...["NODE_OPTIONS", "NODE_PATH", "LD_PRELOAD", "LD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES", "PYTHONSTARTUP"],
		...["BASH_ENV", "ENV", "BASH_FUNC_ls%%", "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS", "GIT_SSH_COMMAND"],
	])("%s, which runs code or loads libraries, is not passed", (name) => {
		expect(childEnvironment({ ...shell, [name]: "x" })).toEqual({ ...shell, TERM: "dumb" });
		expect(heldBackNames({ ...shell, [name]: "x" })).toEqual([name]);
	});
});

test("The daemon, which serves other callers too, inherits no variable that a compiler reads", () => {
	const own = { ...shell, XDG_RUNTIME_DIR: "/run/me", LANG: "C" };
	expect(daemonEnvironment({ ...own, RUSTFLAGS: "x", PYTHONPATH: "y", MY_TOKEN: "z" })).toEqual({
		...own,
		TERM: "dumb",
	});
});

describe("Callers share a server", () => {
	const keyOf = (more: Readonly<Record<string, string>>) => summaryOf({ ...shell, ...more }).key;

	test("if their environments differ in their terminal and their secrets alone", () => {
		expect(keyOf({ SHLVL: "2", PWD: "/a", TERM: "xterm", MY_TOKEN: "x" })).toBe(keyOf({}));
	});

	test("if one of them runs inside of an agent, which sets variables of its own", () => {
		expect(keyOf({ PI_CODING_AGENT: "true", AI_AGENT: "pi" })).toBe(keyOf({}));
	});

	test("unless a compiler could answer differently", () => {
		expect(keyOf({ RUSTFLAGS: "--cfg a" })).not.toBe(keyOf({ RUSTFLAGS: "--cfg b" }));
		expect(keyOf({ PATH: "/bin" })).not.toBe(keyOf({}));
	});
});
