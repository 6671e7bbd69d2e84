import { redactText } from "../core/redact.js";
import type { Pulls } from "../ports/pulls.js";
import type { Reviews } from "../ports/reviews.js";

/** Says why, then closes: whoever finds it closed finds the reason. */
export async function closePull(
  { reviews, pulls }: { readonly reviews: Reviews; readonly pulls: Pick<Pulls, "close"> },
  number: number,
  body: string,
): Promise<void> {
  await reviews.say(number, redactText(body));
  await pulls.close(number);
}
