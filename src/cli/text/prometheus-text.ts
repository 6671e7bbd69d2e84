import { Gauge, Registry } from "prom-client";
import { cacheHitRate } from "../../core/model/token-counts.js";
import { tokensJson } from "../../core/replies/report/cost-ranking.js";
import type { CostMetrics, ProjectMetrics } from "../../core/run/metrics/project-metrics.js";
import { poolTitle } from "../../core/runtimes/pool-of-agent.js";
import { plainText } from "../../lib/plain-text.js";

const BREAKERS = ["closed", "open", "half-open"] as const;
const LEVELS = ["ok", "warn", "drain", "stop"] as const;

/** The metrics as Prometheus reads them, for its node exporter's folder of text files; docs/governors.md lists them. */
export function prometheusText(metrics: ProjectMetrics, project: string): Promise<string> {
  const registry = new Registry();
  tellMachine(metrics, registry);
  tellQuota(metrics, registry);
  tellCosts(metrics, project, registry);
  return registry.metrics();
}

function tellMachine({ machine }: ProjectMetrics, registry: Registry): void {
  const known = gauge(registry, "machine_known", "1 when the record of agents' places could be read");
  known({}, "problem" in machine ? 0 : 1);
  if ("problem" in machine) return;
  gauge(registry, "machine_ceiling", "Agents that the machine bears")({}, machine.ceiling);
  gauge(registry, "machine_agents", "Agents at work on the machine")({}, machine.leases.length);
  const cap = gauge(registry, "pool_cap", "Agents that the account bears now", "pool");
  const agents = gauge(registry, "pool_agents", "Agents at work on the account", "pool");
  const adaptive = gauge(registry, "pool_adaptive", "1 when rate limits move the account's cap", "pool");
  const limits = gauge(registry, "pool_rate_limits", "Rate limits met since the account is known", "pool");
  const breaker = gauge(registry, "pool_breaker", "1 for the breaker's state", "pool", "state");
  for (const each of machine.pools) {
    const pool = plainText(poolTitle(each.pool));
    cap({ pool }, each.capNow);
    agents({ pool }, each.leases.length);
    adaptive({ pool }, each.adaptive ? 1 : 0);
    limits({ pool }, each.reportCount);
    for (const state of BREAKERS) breaker({ pool, state }, each.breaker.state === state ? 1 : 0);
  }
}

function tellQuota({ quota }: ProjectMetrics, registry: Registry): void {
  const fraction = gauge(registry, "quota_fraction", "Part of the fuller window that is spent", "account");
  const measured = gauge(registry, "quota_measured", "0 when it counts as full unmeasured", "account");
  const level = gauge(registry, "quota_level", "1 for the account's level", "account", "level");
  for (const each of quota) {
    const account = plainText(poolTitle(each.pool));
    fraction({ account }, each.fraction);
    measured({ account }, each.measured ? 1 : 0);
    for (const word of LEVELS) level({ account, level: word }, each.level === word ? 1 : 0);
  }
}

function tellCosts({ run, all }: ProjectMetrics, project: string, registry: Registry): void {
  const of = { project };
  const labels = ["project", "scope"];
  gauge(
    registry,
    "run_under_way",
    "1 while the newest run has not ended",
    "project",
  )(of, run?.underWay ? 1 : 0);
  gauge(registry, "runs", "Runs that the ledger tells of", "project")(of, all.runs);
  const agents = gauge(registry, "agents_ended", "Agents that have ended", ...labels);
  const cost = gauge(registry, "cost_usd", "What agents cost that have ended", ...labels);
  const billed = gauge(registry, "api_cost_usd", "What of that was billed by use to API keys", ...labels);
  const known = gauge(registry, "cost_known", "0 when part of the cost is an estimate", ...labels);
  const tokens = gauge(registry, "tokens", "Tokens, of agents whose programs told them", ...labels, "kind");
  const hits = gauge(registry, "cache_hit_rate", "Part of the input that came from a cache", ...labels);
  const modelHits = gauge(registry, "model_cache_hit_rate", "The same, by model", ...labels, "model");
  const rankings = (["model", "epic", "bead"] as const).map((word) => ({
    word,
    tell: gauge(registry, `${word}_cost_usd`, `What agents cost, by ${word}`, ...labels, word),
    left: gauge(registry, `${word}_cost_usd_rest`, "What is left out above", ...labels),
  }));
  const tell = (scope: string, costs: CostMetrics) => {
    const scoped = { ...of, scope };
    agents(scoped, costs.total.agents);
    cost(scoped, costs.total.costUsd);
    billed(scoped, costs.total.apiUsd ?? 0);
    known(scoped, costs.total.costKnown ? 1 : 0);
    for (const [kind, count] of Object.entries(tokensJson(costs.total.tokens) ?? {}))
      tokens({ ...scoped, kind }, count);
    const rate = cacheHitRate(costs.total.tokens);
    if (rate !== null) hits(scoped, rate);
    for (const { name, tokens: own } of costs.models.top) {
      const ownRate = cacheHitRate(own);
      if (ownRate !== null) modelHits({ ...scoped, model: plainText(name) }, ownRate);
    }
    for (const { word, tell, left } of rankings) {
      const ranking = costs[`${word}s`];
      for (const { name, costUsd } of ranking?.top ?? [])
        tell({ ...scoped, [word]: plainText(name) }, costUsd);
      if (ranking !== null) left(scoped, ranking.rest.costUsd);
    }
  };
  if (run !== null) tell("run", run.costs);
  tell("all", all.costs);
}

function gauge(registry: Registry, name: string, help: string, ...labelNames: string[]) {
  const made = new Gauge({ name: `koryph_${name}`, help, labelNames, registers: [registry] });
  return (labels: Readonly<Record<string, string>>, value: number) => made.set(labels, value);
}
