/** A port at which no program listens. */
export const nowhere = "http://127.0.0.1:9";

/** Variables with which a program reaches no host. */
export const unreachable: Readonly<Record<string, string>> = {
	...{ HTTP_PROXY: nowhere, HTTPS_PROXY: nowhere, ALL_PROXY: nowhere, NO_PROXY: "" },
	...{ http_proxy: nowhere, https_proxy: nowhere, all_proxy: nowhere, no_proxy: "" },
};
