/** A pattern is text of a configuration file; no name of a file needs a longer one. */
const maxCharacters = 500;

/**
 * True if a name is `pattern`, in which `*` stands for any run of characters but a slash, and a segment `**` for any
 * directories; false for a pattern of more than 500 characters. The time is at most the product of the two lengths, where a regular
 * expression takes minutes for thirty stars: only the last star may stand for more, since a longer run of an earlier one
 * leaves the rest no more to match, and behind a slash it is the last `**` that may.
 */
export function fits(name: string, pattern: string): boolean {
	if (!pattern.includes("*")) return name === pattern;
	if (pattern.length > maxCharacters) return false;
	let [at, next] = [0, 0];
	/** What follows the last of each kind in the pattern, -1 if there is none, and where in the name that is tried. */
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
