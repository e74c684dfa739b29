import { t } from "../../../contract/schema.ts";

export const Session = t.text("What `simulate_begin` answered");

export const sessionExample = "s4f1c2a9be07d3158";
