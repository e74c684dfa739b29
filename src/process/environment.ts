/** The variables that a language server inherits: no tokens, and none that runs code (NODE_OPTIONS, NODE_PATH, LD_*). */
const allowed = [
	/^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|TEMP|TMP|LANG|LANGUAGE|TZ)$/,
	/^(LC_|XDG_)/,
	/^(SystemRoot|SystemDrive|windir|APPDATA|LOCALAPPDATA|USERPROFILE|ProgramData|ProgramFiles|PATHEXT|COMSPEC)$/i,
	/^(GOPATH|GOROOT|GOCACHE|GOMODCACHE|GOFLAGS|GOPROXY|GONOSUMDB|GOPRIVATE|GOOS|GOARCH|CGO_ENABLED|GOTOOLCHAIN)$/,
	/^(CARGO_HOME|RUSTUP_HOME|RUSTUP_TOOLCHAIN|CARGO_NET_OFFLINE|CARGO_TARGET_DIR)$/,
	/^(UV_PROJECT_ENVIRONMENT|POETRY_CACHE_DIR|POETRY_VIRTUALENVS_PATH)$/,
	/^(VIRTUAL_ENV|CONDA_PREFIX|PYENV_ROOT|PYENV_VERSION|JAVA_HOME|GRADLE_USER_HOME|MAVEN_HOME)$/,
	// Tests find processes that were left behind by it.
	/^PI_LSP_RUN$/,
];
const secret = /(TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|_KEY)/i;

export type Environment = Readonly<Record<string, string>>;

export function childEnvironment(env: Readonly<Record<string, string | undefined>>): Environment {
	const kept: Record<string, string> = {};
	for (const [name, value] of Object.entries(env)) {
		if (value === undefined || secret.test(name)) continue;
		if (allowed.some((pattern) => pattern.test(name))) kept[name] = value;
	}
	return { ...kept, TERM: "dumb" };
}
