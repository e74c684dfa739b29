import { type Files, TYPESCRIPT_PROJECT } from "../../support/workspace.ts";

/** The two files of the examples in agent-lsp's reference, as far as their lines are known. */
export const SEED_PROJECT: Files = {
	...TYPESCRIPT_PROJECT,
	"src/example.ts": `/**
 * A simple function that adds two numbers
 */
export function add(a: number, b: number): number {
  return a + b;
}

/**
 * A person.
 */
export interface Person {
  name: string;
  age: number;
  email: string;
}

/**
 * Greets.
 */
export class Greeter {
  greeting: string;

  constructor(greeting: string) {
    this.greeting = greeting;
  }

  greet(person: Person): string {
    return this.greeting + person.name;
  }

  // Kept.
}
`,
	"src/consumer.ts": `import { add, Greeter, type Person } from "./example.ts";

// The sum of two numbers.
const sum = add(1, 2);
console.log(sum);

const alice: Person = { name: "Alice", age: 1, email: "a@example.com" };

const greeter = new Greeter("Hello ");
console.log(greeter.greet(alice));
`,
	"src/wrong.ts": `const defined: number = 1;

const value = undefinedVariable;
defined;
value;
`,
};

/** The kinds of values: names of fields, types of values, and for a list the one form that all its items have. */
export function shapeOf(value: unknown): unknown {
	if (Array.isArray(value)) {
		const shapes = new Set(value.map((item) => JSON.stringify(shapeOf(item))));
		return [...shapes].map((shape) => JSON.parse(shape));
	}
	if (typeof value !== "object" || value === null) return value === null ? "null" : typeof value;
	const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
	return Object.fromEntries(fields.map(([key, item]) => [key, shapeOf(item)]));
}
