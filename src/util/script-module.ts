/** True for the text of a script whose declarations are seen by those alone that import it. */
export function isModule(text: string): boolean {
	return /^\s*(?:import|export)\b/m.test(text) && !/^\s*declare\s+(?:global|module)\b/m.test(text);
}
