/**
 * Where people and their programs keep what opens other doors: keys, tokens, cookies, histories of what was typed.
 * Relative to the home directory, and to the directories of configuration and of data, which may be elsewhere.
 */

const inHome = [
	".ssh",
	".gnupg",
	".password-store",
	".netrc",
	"_netrc",
	".git-credentials",
	".aws",
	".azure",
	".kube",
	".oci",
	".boto",
	".s3cfg",
	".vault-token",
	".terraform.d/credentials.tfrc.json",
	".terraformrc",
	// The socket of Docker's desktop lies there as well.
	".docker",
	".npmrc",
	".yarnrc.yml",
	".pypirc",
	".cargo/credentials",
	".cargo/credentials.toml",
	".gem/credentials",
	".bundle/config",
	".composer/auth.json",
	".m2/settings.xml",
	".m2/settings-security.xml",
	".gradle/gradle.properties",
	".pgpass",
	".my.cnf",
	".bash_history",
	".zsh_history",
	".python_history",
	".node_repl_history",
	".mozilla",
	".thunderbird",
	".var/app",
	"snap/firefox",
	"snap/chromium",
	// Agents' own.
	".pi/agent/auth.json",
	".pi/agent/sessions",
	".claude",
	".claude.json",
	".codex",
	".gemini",
];

const inConfiguration = [
	"gh",
	"hub",
	"glab-cli",
	"git/credentials",
	"gcloud",
	"doctl",
	"rclone",
	"op",
	"containers/auth.json",
	"composer/auth.json",
	"pypoetry/auth.toml",
	"pip",
	"google-chrome",
	"google-chrome-beta",
	"chromium",
	"BraveSoftware",
	"microsoft-edge",
	"vivaldi",
	"opera",
	"Bitwarden",
	"1Password",
	"keepassxc",
];

const inData = ["keyrings", "kwalletd", "opencode", "uv/credentials"];

const inLibrary = [
	"Keychains",
	"Cookies",
	"Safari",
	"Mail",
	"Messages",
	"Application Support/Google/Chrome",
	"Application Support/Chromium",
	"Application Support/BraveSoftware",
	"Application Support/Microsoft Edge",
	"Application Support/Vivaldi",
	"Application Support/Firefox",
	"Application Support/Arc",
	"Application Support/gcloud",
	"Application Support/1Password",
	"Application Support/Bitwarden",
];

/** The secret places by what they are relative to. */
export const secretPlaces = {
	home: [
		...inHome,
		...inConfiguration.map((path) => `.config/${path}`),
		...inData.map((path) => `.local/share/${path}`),
		...inLibrary.map((path) => `Library/${path}`),
	],
	configuration: inConfiguration,
	data: inData,
} as const;
