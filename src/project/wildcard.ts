const maxCharacters = 500;

/**
 * `*` matches any characters but a slash, a segment `**` any directories. Takes at most the product of both lengths:
 * only the last `*` (behind a slash the last `**`) is tried again.
 */
export function matchesWildcard(name: string, pattern: string): boolean {
	if (!pattern.includes("*")) return name === pattern;
	if (pattern.length > maxCharacters) return false;
	let [at, next] = [0, 0];
	/** Behind the last of each (-1: none), and where its match ends. */
	let [afterStar, starEnd] = [-1, 0];
	let [afterDirectories, directoriesEnd] = [-1, 0];
	while (at < name.length || next < pattern.length) {
		if (pattern.startsWith("**/", next) && (next === 0 || pattern[next - 1] === "/")) {
			next += 3;
			[afterDirectories, directoriesEnd, afterStar] = [next, at, -1];
		} else if (pattern[next] === "*") {
			next++;
			[afterStar, starEnd] = [next, at];
		} else if (at < name.length && pattern[next] === name[at]) {
			next++;
			at++;
		} else if (afterStar >= 0 && starEnd < name.length && name[starEnd] !== "/") {
			[at, next] = [++starEnd, afterStar];
		} else {
			const slash = afterDirectories < 0 ? -1 : name.indexOf("/", directoriesEnd);
			if (slash < 0) return false;
			directoriesEnd = slash + 1;
			[at, next, afterStar] = [directoriesEnd, afterDirectories, -1];
		}
	}
	return true;
}
