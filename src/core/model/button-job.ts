import { z } from "zod";

const Id = z.int().positive();

const Pressed = z.object({
  action: z.literal("requested_action"),
  installation: z.object({ id: z.number() }),
  repository: z.object({ id: Id, full_name: z.string().regex(/^[^/\s]+\/[^/\s]+$/) }),
  check_run: z.object({ id: Id }),
  requested_action: z.object({ identifier: z.string().min(1).max(20) }),
  sender: z.object({ login: z.string().min(1), id: z.number(), type: z.string().default("User") }),
});

/** A button on a check run that somebody pressed. What the check run itself says is asked of GitHub. */
export interface ButtonJob {
  readonly repository: { readonly fullName: string; readonly id: number };
  readonly installation: number;
  readonly check: number;
  readonly button: string;
  readonly by: { readonly login: string; readonly id: number; readonly type: string };
}

/** Null for what is no press of a button. */
export function readButtonJob(payload: unknown): ButtonJob | null {
  const { data } = Pressed.safeParse(payload);
  if (data === undefined) return null;
  const { repository, installation, check_run, requested_action, sender } = data;
  return {
    repository: { fullName: repository.full_name, id: repository.id },
    installation: installation.id,
    check: check_run.id,
    button: requested_action.identifier,
    by: sender,
  };
}
