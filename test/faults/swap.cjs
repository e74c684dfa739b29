// Preloaded into a daemon (node --require): right before it binds its socket, the directory that it has checked is moved
// away, and a link to the directory that PI_LSP_SWAP names stands in its place.
const { renameSync, symlinkSync } = require("node:fs");
const net = require("node:net");
const { dirname } = require("node:path");

const { listen } = net.Server.prototype;
net.Server.prototype.listen = function (path, ...more) {
	const directory = dirname(path);
	renameSync(directory, `${directory}-moved`);
	symlinkSync(process.env.PI_LSP_SWAP, directory);
	return listen.call(this, path, ...more);
};
