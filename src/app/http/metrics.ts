import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Lane, ListedJob } from "../../ports/inbox.js";
import type { DeliveryAnswer } from "./intake.js";

interface InboxDepth {
  readonly lane: Lane;
  readonly state: ListedJob["state"];
  readonly count: number;
}

interface MetricSources {
  readonly version: string;
  /** Asked whenever somebody reads the metrics. */
  readonly depth: () => Promise<readonly InboxDepth[]>;
}

/** How an attempt ended: after `failed` there is another one, after `buried` only when somebody asks for it. */
type JobOutcome = "done" | "failed" | "buried";

interface GitHubRequest {
  readonly route: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  /** Null for requests of the App itself. */
  readonly installation: number | null;
  /** What GitHub says is left of the hour's requests. */
  readonly remaining: number | null;
}

interface MetricsText {
  readonly type: string;
  readonly text: string;
}

/** What the server counts, in a registry of its own so that two servers in one process do not mix. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #deliveries = new Counter({
    name: "koryph_deliveries_total",
    help: "Webhook deliveries by event and by what they were answered",
    labelNames: ["event", "answer"],
    registers: [this.#registry],
  });
  readonly #deliverySeconds = new Histogram({
    name: "koryph_delivery_seconds",
    help: "Time from a delivery's headers to its answer",
    buckets: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10],
    registers: [this.#registry],
  });
  readonly #jobs = new Counter({
    name: "koryph_jobs_total",
    help: "Attempts at jobs by lane and how they ended",
    labelNames: ["lane", "outcome"],
    registers: [this.#registry],
  });
  readonly #overdue = new Counter({
    name: "koryph_jobs_overdue_total",
    help: "Jobs that stepped aside because they took longer than their lane allows, by lane",
    labelNames: ["lane"],
    registers: [this.#registry],
  });
  readonly #jobSeconds = new Histogram({
    name: "koryph_job_seconds",
    help: "Time an attempt at a job took, by lane",
    labelNames: ["lane"],
    buckets: [0.05, 0.25, 1, 2.5, 5, 15, 60, 300, 1800],
    registers: [this.#registry],
  });
  readonly #requests = new Counter({
    name: "koryph_github_requests_total",
    help: "Requests to GitHub by class of status, none when there was no answer",
    labelNames: ["status"],
    registers: [this.#registry],
  });
  readonly #remaining = new Gauge({
    name: "koryph_github_rate_limit_remaining",
    help: "Requests that GitHub leaves an installation in this hour, as it last said",
    labelNames: ["installation", "quota"],
    registers: [this.#registry],
  });
  readonly #appends = new Counter({
    name: "koryph_ledger_appends_total",
    help: "Events appended to ledgers",
    registers: [this.#registry],
  });

  #reading: Promise<MetricsText> | null = null;

  constructor({ version, depth }: MetricSources) {
    new Gauge({
      name: "koryph_build_info",
      help: "Always 1; the labels say what runs",
      labelNames: ["version", "node"],
      registers: [this.#registry],
    }).set({ version, node: process.version }, 1);
    new Gauge({
      name: "koryph_inbox_jobs",
      help: "Jobs in the inbox by lane and state",
      labelNames: ["lane", "state"],
      registers: [this.#registry],
      async collect() {
        this.reset();
        // With a store that cannot be read, the others are wanted all the more.
        const found = await depth().catch(() => []);
        for (const { lane, state, count } of found) this.set({ lane, state }, count);
      },
    });
    collectDefaultMetrics({ register: this.#registry });
  }

  delivery(event: string, answer: DeliveryAnswer, seconds: number): void {
    this.#deliveries.inc({ event, answer });
    this.#deliverySeconds.observe(seconds);
  }

  job(lane: Lane, outcome: JobOutcome, seconds: number): void {
    this.#jobs.inc({ lane, outcome });
    this.#jobSeconds.observe({ lane }, seconds);
  }

  /** Not an outcome: how it ends is counted besides. */
  overdue(lane: Lane): void {
    this.#overdue.inc({ lane });
  }

  request({ route, status, installation, remaining }: GitHubRequest): void {
    this.#requests.inc({ status: status === null ? "none" : `${Math.trunc(status / 100)}xx` });
    if (installation === null || remaining === null) return;
    const quota = route.endsWith("/graphql") ? "graphql" : "rest";
    this.#remaining.set({ installation: `${installation}`, quota }, remaining);
  }

  ledgerAppends(events: number): void {
    this.#appends.inc(events);
  }

  /** Names and text, as Prometheus reads them. Those who ask at the same time get the same answer: it takes a while. */
  read(): Promise<MetricsText> {
    this.#reading ??= this.#readNow().finally(() => {
      this.#reading = null;
    });
    return this.#reading;
  }

  async #readNow(): Promise<MetricsText> {
    return { type: this.#registry.contentType, text: await this.#registry.metrics() };
  }
}
