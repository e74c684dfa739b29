/** The two servers that are pyright, each with the servers that have to be disabled for it. */
export const pyrights = [
	{ id: "pyright", program: "pyright-langserver", disable: [] },
	{ id: "basedpyright", program: "basedpyright-langserver", disable: ["pyright"] },
];
