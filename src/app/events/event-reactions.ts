import type { Probot } from "probot";

/** What brings deliveries to the reactions of `app.ts`. */
export type Reacting = Pick<Probot, "on" | "receive">;

type React = (delivery: { readonly id: string; readonly payload: unknown }) => unknown;

/** The same without an App's key and a webhook secret: the event file of a workflow run is GitHub's own word. */
export function eventReactions(): Reacting {
  const reactions = new Map<string, React[]>();
  const reacting = {
    on(names: string | readonly string[], react: React): void {
      for (const name of typeof names === "string" ? [names] : names)
        reactions.set(name, [...(reactions.get(name) ?? []), react]);
    },
    async receive({ id, name, payload }: Delivered): Promise<void> {
      const { action } = payload;
      const both = typeof action === "string" ? [`${name}.${action}`, name] : [name];
      for (const react of both.flatMap((each) => reactions.get(each) ?? [])) await react({ id, payload });
    },
  };
  return reacting as unknown as Reacting;
}

interface Delivered {
  readonly id: string;
  readonly name: string;
  readonly payload: { readonly action?: unknown };
}
