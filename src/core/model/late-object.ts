import { z } from "zod";

/**
 * The schema of an object, built when it is first read with: most commands meet few kinds of events, and are done sooner
 * than the schemas of all of them are built.
 */
export function lateObject<Shape extends z.ZodRawShape>(shape: () => Shape) {
  return z.lazy(() => z.object(shape()));
}
