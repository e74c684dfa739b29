import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run } from "./cache.ts";

/**
 * Downloads the sources of a package of Debian 12, and returns the names of the files. Its lists and cache are in the same
 * directory meanwhile, so that the machine's stay unchanged.
 */
export function debianSource(name: string, into: string): readonly string[] {
	const state = join(into, ".apt");
	for (const name of ["lists/partial", "cache/archives/partial"]) mkdirSync(join(state, name), { recursive: true });
	const known = readFileSync("/etc/apt/sources.list.d/debian.sources", "utf8");
	const archive = /^URIs:\s*(\S+)/m.exec(known)?.[1];
	const key = "/usr/share/keyrings/debian-archive-keyring.gpg";
	writeFileSync(join(state, "source.list"), `deb-src [signed-by=${key}] ${archive} bookworm main\n`);
	const options = [
		`Dir::Etc::sourcelist=${join(state, "source.list")}`,
		"Dir::Etc::sourceparts=-",
		`Dir::State::lists=${join(state, "lists")}`,
		`Dir::Cache=${join(state, "cache")}`,
		"APT::Sandbox::User=root",
	].flatMap((option) => ["-o", option]);
	run("apt-get", [...options, "update"], into);
	run("apt-get", [...options, "source", "--download-only", name], into);
	rmSync(state, { recursive: true });
	return readdirSync(into);
}
