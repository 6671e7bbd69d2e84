import { chooseBeads } from "../../../core/issues/choose-beads.js";
import { decideRelease, peopleToAsk } from "../../../core/issues/decide-release.js";
import { issueBead } from "../../../core/issues/issue-bead.js";
import { hasLabel } from "../../../core/issues/issue-labels.js";
import type { IssueRecord } from "../../../core/issues/issue-record.js";
import type { Bead } from "../../../core/model/bead.js";
import type { Octokit } from "../app-client.js";
import { type IssueHistory, readHistories } from "./issue-history.js";
import type { IssueList } from "./issue-list.js";
import type { IssueRoles } from "./issue-roles.js";
import type { ListedIssue } from "./listed-issue.js";
import { releaseFacts } from "./release-facts.js";

export interface IssueBeadsParts {
  readonly octokit: Octokit;
  readonly list: IssueList;
  readonly roles: IssueRoles;
  /** `owner/name`. */
  readonly repository: string;
  readonly label: string;
  readonly claimant: string;
}

interface KeptHistory {
  /** Of the listed issue that it was read for: another one has to be read again. */
  readonly version: string;
  readonly history: IssueHistory | null;
}

/** Makes beads of issues. The history of an issue is read when it has the release label and has changed. */
export class IssueBeads {
  readonly #parts: IssueBeadsParts;
  readonly #histories = new Map<number, KeptHistory>();

  constructor(parts: IssueBeadsParts) {
    this.#parts = parts;
  }

  /** All of the list as it was last read, by number. */
  async all(): Promise<Bead[]> {
    const { list, label } = this.#parts;
    const chosen = await this.#chosen();
    const open = chosen.flatMap(({ number, isClosed, labels }) => {
      const listed = list.known.get(number);
      return listed !== undefined && !isClosed && hasLabel(labels, label) ? [listed] : [];
    });
    await this.#readHistories(open);
    return Promise.all(chosen.map((record) => this.#bead(record, this.#histories.get(record.number))));
  }

  /** One issue, judged by what GitHub shows now. Null when it is gone, or moved to another repository. */
  async fresh(listed: ListedIssue): Promise<Bead | null> {
    this.#histories.delete(listed.record.number);
    await this.#readHistories([listed]);
    const kept = this.#histories.get(listed.record.number);
    if (kept === undefined || kept.history === null) return null;
    const { isClosed, labels } = kept.history;
    this.#parts.list.changed(listed.record.number, { isClosed, labels });
    return this.#bead({ ...listed.record, isClosed, labels }, kept);
  }

  /** One issue by what was last read of it. */
  known({ record }: ListedIssue): Promise<Bead> {
    return this.#bead(record, this.#histories.get(record.number));
  }

  /** Named numbers that the list does not have are asked for, and may name others. */
  async #chosen(): Promise<readonly IssueRecord[]> {
    const { list, repository, label } = this.#parts;
    for (;;) {
      const known = new Map([...list.known].map(([number, { record }]) => [number, record]));
      const { issues, unknown } = chooseBeads(known, { repository, label });
      const found = await Promise.all(unknown.map((number) => list.lookUp(number)));
      if (found.every((issue) => issue === null)) return issues;
    }
  }

  async #readHistories(issues: readonly ListedIssue[]): Promise<void> {
    const { octokit, label, repository } = this.#parts;
    const stale = issues.filter(
      (issue) => this.#histories.get(issue.record.number)?.version !== versionOf(issue),
    );
    if (stale.length === 0) return;
    const read = await readHistories(
      octokit,
      stale.map(({ node }) => node),
      label,
    );
    for (const issue of stale) {
      const { number } = issue.record;
      const history = read.get(issue.node) ?? null;
      const isHere =
        history?.number === number && history.repository.toLowerCase() === repository.toLowerCase();
      this.#histories.set(number, { version: versionOf(issue), history: isHere ? history : null });
    }
  }

  async #bead(record: IssueRecord, kept: KeptHistory | undefined): Promise<Bead> {
    const { label, roles, repository, claimant } = this.#parts;
    const history = kept?.history ?? null;
    const { title, body } = history ?? record;
    const facts = releaseFacts(record, history, label);
    const release = decideRelease(facts, await roles.of(peopleToAsk(facts)));
    return issueBead({ ...record, title, body }, { repository, claimant, release });
  }
}

function versionOf({ updatedAt, record: { title, body } }: ListedIssue): string {
  return JSON.stringify([updatedAt, title, body]);
}
