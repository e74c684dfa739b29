import { Type } from "@sinclair/typebox";

export const Session = Type.String({ description: "What `simulate_begin` answered" });

export const sessionExample = "s4f1c2a9be07d3158";
