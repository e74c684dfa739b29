/** Variables with which a program reaches no host: a proxy at a port at which nobody listens. */
export const unreachable: Readonly<Record<string, string>> = {
	...{
		HTTP_PROXY: "http://127.0.0.1:9",
		HTTPS_PROXY: "http://127.0.0.1:9",
		ALL_PROXY: "http://127.0.0.1:9",
		NO_PROXY: "",
	},
	...{
		http_proxy: "http://127.0.0.1:9",
		https_proxy: "http://127.0.0.1:9",
		all_proxy: "http://127.0.0.1:9",
		no_proxy: "",
	},
};
