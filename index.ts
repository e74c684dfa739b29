/** pi's door to pi-lsp: pi calls the default export once when it loads the extension. */
export { registerExtension as default } from "./src/faces/pi/extension.ts";
