// What the build writes into the package besides code.
export { apiTypes } from "./api-types.ts";
export { manPage } from "./man-page.ts";
