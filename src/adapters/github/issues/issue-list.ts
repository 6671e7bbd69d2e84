import { z } from "zod";
import { hasLabel } from "../../../core/issues/issue-labels.js";
import type { Unreleased } from "../../../core/schedule/why-idle.js";
import type { Octokit } from "../app-client.js";
import { readPages } from "../read-pages.js";
import { repositoryAt } from "../repository-at.js";
import { unlessGone } from "../request-error.js";
import { IssuePages } from "./issue-pages.js";
import { type ListedIssue, readBlocker, readListedIssue } from "./listed-issue.js";

/** What vanished (deleted, or moved to another repository) shows only in a whole list. */
const WHOLE_MS = 10 * 60_000;

/** The issues of a repository that are open, or have the release label; kept up to date by what changed since. */
export class IssueList {
  readonly #octokit: Octokit;
  readonly #repository: string;
  readonly #label: string;
  readonly #pages: IssuePages;
  #known = new Map<number, ListedIssue>();
  /** Issues outside the list that somebody asked for; null where there is none of that number. */
  readonly #lookedUp = new Map<number, ListedIssue | null>();
  #wholeAt: number | null = null;

  constructor(octokit: Octokit, { repository, label }: { repository: string; label: string }) {
    this.#octokit = octokit;
    this.#repository = repository;
    this.#label = label;
    this.#pages = new IssuePages(octokit, repositoryAt(repository));
  }

  get known(): ReadonlyMap<number, ListedIssue> {
    return this.#known;
  }

  /** Open issues of the list without the label that releases them. */
  unreleased(): Unreleased {
    const label = this.#label;
    const open = [...this.#known.values()].filter(({ record }) => !record.isClosed && !record.isPull);
    return { count: open.filter(({ record }) => !hasLabel(record.labels, label)).length, label };
  }

  /** One request where nothing or little changed. */
  async refresh(now: number): Promise<void> {
    const newest = [...this.#known.values()].reduce(
      (latest, { updatedAt }) => (updatedAt > latest ? updatedAt : latest),
      "",
    );
    if (this.#wholeAt !== null && newest !== "" && now - this.#wholeAt < WHOLE_MS) {
      const changed = await this.#pages.read({ state: "all", sort: "updated", since: newest });
      for (const issue of await this.#read(changed)) this.#known.set(issue.record.number, issue);
      return;
    }
    const [open, closed] = await Promise.all([
      this.#pages.read({ state: "open", sort: "created" }),
      this.#pages.read({ state: "closed", sort: "created", labels: this.#label }),
    ]);
    // One that is closed between the two requests is in both, or in neither; the next look finds it.
    const whole = await this.#read([...open, ...closed]);
    this.#known = new Map(whole.map((issue) => [issue.record.number, issue]));
    this.#lookedUp.clear();
    this.#wholeAt = now;
  }

  /** One issue as it is now; null when there is none (any more). */
  async look(number: number): Promise<ListedIssue | null> {
    const at = repositoryAt(this.#repository);
    const answer = await unlessGone(this.#octokit.rest.issues.get({ ...at, issue_number: number }));
    const [found = null] = answer === null ? [] : await this.#read([answer.data]);
    if (found === null) this.#known.delete(number);
    else this.#known.set(number, found);
    return found;
  }

  /** An issue that is named somewhere. One that is not in the list is closed or gone, and asked for only once. */
  async lookUp(number: number): Promise<ListedIssue | null> {
    const known = this.#known.get(number) ?? this.#lookedUp.get(number);
    if (known !== undefined) return known;
    const found = await this.look(number);
    if (found === null) this.#lookedUp.set(number, null);
    return found;
  }

  /** After a write of ours. */
  changed(number: number, fields: Partial<Pick<ListedIssue["record"], "isClosed" | "labels">>): void {
    const before = this.#known.get(number);
    if (before !== undefined) this.#known.set(number, { ...before, record: { ...before.record, ...fields } });
  }

  /** Those that have not changed keep what was read of them before. */
  #read(data: readonly unknown[]): Promise<ListedIssue[]> {
    const found = data.flatMap((each) => readListedIssue(each, this.#repository) ?? []);
    return Promise.all(found.map((issue) => this.#withBlockers(issue)));
  }

  async #withBlockers(issue: ListedIssue): Promise<ListedIssue> {
    const { record, blockers, updatedAt } = issue;
    if (blockers === 0 || record.isClosed || record.isPull) return issue;
    const before = this.#known.get(record.number);
    if (before?.updatedAt === updatedAt && before.blockers === blockers)
      return { ...issue, record: { ...record, blockedBy: before.record.blockedBy } };
    const at = { ...repositoryAt(this.#repository), issue_number: record.number };
    const pages = readPages(z.unknown(), (page) =>
      this.#octokit.rest.issues.listDependenciesBlockedBy({ ...at, ...page }),
    );
    const blockedBy = [];
    for await (const each of pages) {
      const blocker = readBlocker(each, this.#repository);
      if (blocker !== null) blockedBy.push(blocker);
    }
    return { ...issue, record: { ...record, blockedBy } };
  }
}
