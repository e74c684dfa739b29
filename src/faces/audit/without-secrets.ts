const shortestSecret = 6;
const longest = 4000;

const patterns: readonly RegExp[] = [
	/-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g,
	/\b(?:gh[opsur]_|github_pat_|glpat-|npm_|pypi-|xox[abeoprs]-|sk-|sk_live_|rk_live_|hf_|dop_v1_)[\w-]{8,}/g,
	/\b(?:AKIA|ASIA)[A-Z\d]{12,}|\bAIza[\w-]{20,}|\beyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?/g,
];
const named =
	/((?:token|secret|passw(?:or)?d|passphrase|credentials?|api_?key|private_?key|access_?key|auth(?:orization)?|cookie)[\w-]{0,20}["'`]?\s{0,4}(?::=|[:=])\s{0,4})(?:(?:Bearer|Basic)\s+)?("[^"\n]*"?|'[^'\n]*'?|`[^`\n]*`?|[^\s"'`,;]+)/gi;
const scheme = /\b(Bearer|Basic)\s+[\w.~+/=-]{8,}/g;
const ofAddress = /(\b[a-z][a-z\d+.-]{0,20}:\/\/)[^\s/@]{1,200}@/gi;

const hidden = "<secret>";

/** `values`: of secret variables. */
export function withoutSecrets(text: string, length: number, values: readonly string[]): string {
	let shown = text.slice(0, longest);
	for (const value of values) if (value.length >= shortestSecret) shown = shown.replaceAll(value, hidden);
	for (const pattern of patterns) shown = shown.replace(pattern, hidden);
	shown = shown.replace(named, `$1${hidden}`).replace(scheme, `$1 ${hidden}`).replace(ofAddress, `$1${hidden}@`);
	return shown.length > length ? `${shown.slice(0, length - 1)}…` : shown;
}
