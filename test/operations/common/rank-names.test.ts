import { describe, expect, test } from "vitest";
import { namesOf } from "../../../src/contract/symbol-path.ts";
import { matchNames, rankName, rankPath } from "../../../src/operations/common/rank-names.ts";

const match = (rank: number | undefined) => (rank === undefined ? undefined : matchNames[rank]);

test.each([
	["Ledger", "Ledger", "exact"],
	["ledger", "Ledger", "case"],
	["LedgerEntry", "Ledger", "prefix"],
	["MyLedger", "ledger", "part"],
	["Ledger", "ldgr", "fuzzy"],
	["Ledger", "ledgers", undefined],
	["Ledger", "rl", undefined],
])("%s, asked for as %s: %s", (name, wanted, expected) => expect(match(rankName(name, wanted))).toBe(expected));

describe("a dotted path", () => {
	const rank = (symbol: string, wanted: string, file = "src/shop/cart.ts") =>
		match(rankPath(symbol, file, namesOf(wanted)));

	test.each([
		["Ledger.judge", "Ledger.judge", "exact"],
		["N.Ledger.judge", "Ledger.judge", "exact"],
		["Ledger.Judge", "ledger.judge", "case"],
		["Ledger.Inner.judge", "Ledger.judge", "fuzzy"],
		["judge", "Ledger.judge", undefined],
		["Other.judge", "Ledger.judge", undefined],
		["Ledger.judge", "Ledger::judge", "exact"],
	])("%s, asked for as %s: %s", (symbol, wanted, expected) => expect(rank(symbol, wanted)).toBe(expected));

	test("may begin with the module or the package", () => {
		expect(rank("add", "cart.add")).toBe("exact");
		expect(rank("add", "shop.add")).toBe("exact");
		expect(rank("add", "shop.cart.add")).toBe("exact");
		expect(rank("Cart.add", "shop.add")).toBeUndefined();
		expect(rank("add", "till.add")).toBeUndefined();
	});
});
