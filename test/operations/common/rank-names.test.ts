import { describe, expect, test } from "vitest";
import { namesOf } from "../../../src/contract/symbol-path.ts";
import { matchNames, rankName, rankPath } from "../../../src/operations/common/rank-names.ts";

const match = (rank: number | undefined) => (rank === undefined ? undefined : matchNames[rank]);

describe("rankName", () => {
	test.each([
		["Ledger", "Ledger", "exact"],
		["ledger", "Ledger", "case"],
		["LedgerEntry", "Ledger", "prefix"],
		["MyLedger", "ledger", "part"],
		["Ledger", "ldgr", "fuzzy"],
		["Ledger", "ledgers", undefined],
		["Ledger", "rl", undefined],
	])("ranks %s for the query %s as %s", (name, wanted, expected) =>
		expect(match(rankName(name, wanted))).toBe(expected),
	);
});

describe("rankPath", () => {
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
	])("ranks %s for the query %s as %s", (symbol, wanted, expected) => expect(rank(symbol, wanted)).toBe(expected));

	test("accepts the module or the package as the first name", () => {
		expect(rank("add", "cart.add")).toBe("exact");
		expect(rank("add", "shop.add")).toBe("exact");
		expect(rank("add", "shop.cart.add")).toBe("exact");
		expect(rank("Cart.add", "shop.add")).toBeUndefined();
		expect(rank("add", "till.add")).toBeUndefined();
	});
});
