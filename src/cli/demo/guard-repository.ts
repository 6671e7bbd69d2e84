import { askSshKeygen } from "../../adapters/sign/ask-ssh-keygen.js";
import { makeKey } from "../../adapters/sign/make-key.js";
import { rulesets } from "../../core/setup/rulesets.js";
import type { Sandbox } from "../../sandbox/sandbox.js";
import { ACTIONS_APP_ID } from "../../sandbox/world/actions-app-id.js";
import type { CiWorkflow } from "../../sandbox/world/checks/stand-in-ci.js";

/** The public half of the key at the path, which is made where there is none. */
export async function publicKeyAt(path: string, comment: string): Promise<string> {
  await makeKey(path, comment);
  const { code, stdout, stderr } = await askSshKeygen(["-y", "-f", path], Buffer.alloc(0));
  if (code !== 0) throw new Error(`${path} is no key: ${stderr}`);
  return stdout.trim().split(" ").slice(0, 2).join(" ");
}

interface Guard {
  /** Must be green on what lands, as a job of Actions. */
  readonly check: string;
  /** Whether every commit has to be signed. */
  readonly signed: boolean;
  /** Who passes the second ruleset: the App, and people who land at a terminal. */
  readonly app: number;
  readonly people?: readonly string[];
}

/** The rules that `koryph init --github` writes, and a required check, on the default branch; repeated, they are put right. */
export function guardRepository(
  sandbox: Sandbox,
  name: string,
  { check, signed, app, people = [] }: Guard,
): void {
  const repository = sandbox.world.repository(name);
  if (repository === null) throw new Error(`the sandbox has no repository ${name}`);
  const wanted = rulesets({ signed, app });
  repository.rulesets = repository.rulesets.filter((known) => wanted.every((one) => one.name !== known.name));
  const required = [{ context: check, integration_id: ACTIONS_APP_ID }];
  for (const { name: ruleset, rules, bypass_actors: passed } of wanted) {
    const listed = passed.length > 0;
    sandbox.addRuleset(name, {
      name: ruleset,
      rules: [
        ...rules.map(({ type, parameters = {} }) => ({ type, parameters: { ...parameters } })),
        ...(listed
          ? [{ type: "required_status_checks", parameters: { required_status_checks: required } }]
          : []),
      ],
      bypass: listed
        ? [
            { type: "Integration" as const, id: app, mode: "always" as const },
            ...people.map((login) => ({
              type: "User" as const,
              id: sandbox.addUser(login).id,
              mode: "always" as const,
            })),
          ]
        : [],
    });
  }
}

/** The file of a workflow that does what its stand-in does. */
export function workflowText({ job }: Pick<CiWorkflow, "job">, run: string): string {
  return `name: ci
on: pull_request
permissions:
  contents: read
jobs:
  ${job}:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
        with:
          persist-credentials: false
      - run: ${run}
`;
}
