import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Health } from "../../../src/app/http/health.js";
import { Metrics } from "../../../src/app/http/metrics.js";
import { openLog } from "../../../src/app/http/server-log.js";
import { WEBHOOK_PATH } from "../../../src/core/model/delivery.js";
import {
  delivery,
  PRIVATE_KEY,
  SECRET,
  type ServerWorld,
  serverWorld,
  sign,
} from "../../support/app/app-server.js";

const COMMENT = {
  action: "created",
  repository: { full_name: "octo/repo" },
  issue: { number: 7 },
  comment: { id: 1, body: "ä /koryph help" },
};

type Sent = ReturnType<typeof delivery>;

async function post({ server }: ServerWorld, { body, headers }: Pick<Sent, "body" | "headers">) {
  const response = await fetch(`${server.url}${WEBHOOK_PATH}`, { method: "POST", body, headers });
  return { status: response.status, said: (await response.json()) as unknown };
}

const without = (name: string) => (sent: Sent) => {
  const { [name]: _, ...headers } = sent.headers;
  return { ...sent, headers };
};
const withHeader = (name: string, value: string) => (sent: Sent) => ({
  ...sent,
  headers: { ...sent.headers, [name]: value },
});

describe("a delivery", () => {
  test("is stored as it came and answered 202", async () => {
    const world = await serverWorld();
    const sent = delivery("issue_comment", COMMENT);
    expect(await post(world, sent)).toEqual({ status: 202, said: { status: "accepted" } });
    expect(world.inbox.jobs).toEqual([
      { id: sent.guid, name: "issue_comment", lane: "intake", key: "octo/repo#7", payload: sent.body },
    ]);
    expect(world.woken).toEqual(["intake"]);
  });

  test("that comes twice is stored once", async () => {
    const world = await serverWorld();
    const guid = randomUUID();
    await post(world, delivery("issue_comment", COMMENT, guid));
    const again = await post(world, delivery("issue_comment", COMMENT, guid.toUpperCase()));
    expect(again).toEqual({ status: 202, said: { status: "known" } });
    expect(world.inbox.jobs).toHaveLength(1);
    expect(world.woken).toHaveLength(1);
  });

  test("that cannot be stored is answered 503, so that GitHub shows it as failed", async () => {
    const world = await serverWorld();
    world.inbox.failure = new Error("disk gone");
    const { status, said } = await post(world, delivery("issue_comment", COMMENT));
    expect({ status, said }).toEqual({ status: 503, said: { error: "the delivery could not be stored" } });
    expect(world.lines.join("\n")).toContain("disk gone");
  });

  test.each<{ name: string; sent: Sent; status: number; said: string }>([
    {
      name: "a charset beside the content type does no harm",
      sent: withHeader("content-type", "application/json; charset=utf-8")(delivery("issue_comment", COMMENT)),
      status: 202,
      said: "accepted",
    },
    { name: "a ping is answered", sent: delivery("ping", { zen: "x" }), status: 200, said: "ok" },
    {
      name: "an event that nobody handles is not stored",
      sent: delivery("gollum", COMMENT),
      status: 202,
      said: "ignored",
    },
    {
      name: "an unknown event is not stored",
      sent: delivery("brand_new_event", COMMENT),
      status: 202,
      said: "ignored",
    },
    {
      name: "a form is refused",
      sent: withHeader(
        "content-type",
        "application/x-www-form-urlencoded",
      )(delivery("issue_comment", COMMENT)),
      status: 415,
      said: "the content type must be application/json",
    },
    {
      name: "a content type that only begins alike is refused",
      sent: withHeader("content-type", "application/jsonp")(delivery("issue_comment", COMMENT)),
      status: 415,
      said: "the content type must be application/json",
    },
    {
      name: "a missing signature is refused",
      sent: without("x-hub-signature-256")(delivery("issue_comment", COMMENT)),
      status: 400,
      said: "x-hub-signature-256 is missing: set a webhook secret",
    },
    {
      name: "a missing event is refused",
      sent: without("x-github-event")(delivery("issue_comment", COMMENT)),
      status: 400,
      said: "x-github-event is missing",
    },
    {
      name: "an event that is no name is refused",
      sent: withHeader("x-github-event", "Issue Comment")(delivery("issue_comment", COMMENT)),
      status: 400,
      said: "x-github-event names no event",
    },
    {
      name: "a missing delivery id is refused",
      sent: without("x-github-delivery")(delivery("issue_comment", COMMENT)),
      status: 400,
      said: "x-github-delivery is missing",
    },
    {
      name: "a delivery id that is no GUID is refused",
      sent: delivery("issue_comment", COMMENT, "1 or 1=1"),
      status: 400,
      said: "x-github-delivery is no GUID",
    },
    {
      name: "another secret's signature is refused",
      sent: withHeader(
        "x-hub-signature-256",
        sign(JSON.stringify(COMMENT), "other"),
      )(delivery("issue_comment", COMMENT)),
      status: 401,
      said: "the signature is not made with this server's webhook secret",
    },
    {
      name: "half a signature is refused",
      sent: withHeader("x-hub-signature-256", "sha256=abc")(delivery("issue_comment", COMMENT)),
      status: 401,
      said: "the signature is not made with this server's webhook secret",
    },
    {
      name: "a body that was changed on the way is refused",
      sent: { ...delivery("issue_comment", COMMENT), body: JSON.stringify({ ...COMMENT, action: "edited" }) },
      status: 401,
      said: "the signature is not made with this server's webhook secret",
    },
    {
      name: "an empty body is refused",
      sent: delivery("issue_comment", ""),
      status: 400,
      said: "the body is empty",
    },
    {
      name: "a signed body that is no JSON is refused",
      sent: delivery("issue_comment", "{"),
      status: 400,
      said: "the body is no JSON object",
    },
    {
      name: "a signed body that is no object is refused",
      sent: delivery("issue_comment", "[1]"),
      status: 400,
      said: "the body is no JSON object",
    },
  ])("$name", async ({ sent, status, said }) => {
    const world = await serverWorld();
    const answer = await post(world, sent);
    expect(answer).toEqual({ status, said: { [status < 300 ? "status" : "error"]: said } });
    expect(world.inbox.jobs).toHaveLength(said === "accepted" ? 1 : 0);
    expect(world.lines.filter((line) => line.includes(SECRET) || line.includes(PRIVATE_KEY))).toEqual([]);
  });

  test("refused for its signature is said in the log, but not every time", async () => {
    const world = await serverWorld();
    const bad = withHeader("x-hub-signature-256", "sha256=abc")(delivery("issue_comment", COMMENT));
    for (let i = 0; i < 5; i += 1) await post(world, bad);
    expect(world.lines.filter((line) => line.includes("bad signature: does GitHub"))).toHaveLength(1);
  });
});

describe("pages", () => {
  test.each<{ method: string; path: string; status: number; body: string }>([
    { method: "GET", path: "/", status: 200, body: "koryph listens here for GitHub's webhooks\n" },
    { method: "GET", path: "/healthz", status: 200, body: '{"status":"ok"}\n' },
    { method: "GET", path: "/healthz?x=1", status: 200, body: '{"status":"ok"}\n' },
    { method: "HEAD", path: "/healthz", status: 200, body: "" },
    { method: "GET", path: "/readyz", status: 200, body: '{"status":"ready","parts":{}}\n' },
    { method: "POST", path: "/metrics", status: 405, body: '{"error":"only GET, HEAD is answered here"}\n' },
    { method: "GET", path: WEBHOOK_PATH, status: 405, body: '{"error":"only POST is answered here"}\n' },
    { method: "GET", path: "/elsewhere", status: 404, body: '{"error":"there is nothing here"}\n' },
    { method: "GET", path: "/__proto__", status: 404, body: '{"error":"there is nothing here"}\n' },
    {
      method: "GET",
      path: "/healthz/../metrics/x",
      status: 404,
      body: '{"error":"there is nothing here"}\n',
    },
  ])("$method $path answers $status", async ({ method, path, status, body }) => {
    const { server } = await serverWorld();
    const response = await fetch(`${server.url}${path}`, { method });
    expect({ status: response.status, body: await response.text() }).toEqual({ status, body });
  });

  test("/readyz says which part is not well, and only the log says why", async () => {
    let well = false;
    const store = async () => {
      if (!well) throw new Error("disk gone");
    };
    const { server, lines } = await serverWorld({ checks: { store, lanes: () => {} } });
    const look = async () => {
      const response = await fetch(`${server.url}/readyz`);
      return { status: response.status, body: (await response.json()) as unknown };
    };
    const broken = { status: "broken", parts: { store: "failed", lanes: "ok" } };
    expect(await look()).toEqual({ status: 503, body: broken });
    expect(await look()).toEqual({ status: 503, body: broken });
    expect(lines.filter((line) => line.includes("disk gone"))).toHaveLength(1);
    well = true;
    expect(await look()).toEqual({
      status: 200,
      body: { status: "ready", parts: { store: "ok", lanes: "ok" } },
    });
  });

  test("/readyz says that the server stops, however well it is", async () => {
    const log = openLog({ level: "silent", format: "json", secrets: [], write: () => {} });
    const health = new Health({ store: () => {} }, log);
    health.stopping();
    expect(await health.look()).toEqual({ status: "stopping", parts: { store: "ok" } });
  });

  test("/metrics can be read when the store cannot", async () => {
    const { server, inbox } = await serverWorld();
    Object.defineProperty(inbox, "jobs", {
      get() {
        throw new Error("disk gone");
      },
    });
    const response = await fetch(`${server.url}/metrics`);
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("koryph_build_info");
  });

  test("/metrics asks the store once for all who want them at the same time", async () => {
    let asked = 0;
    const depth = async () => {
      asked += 1;
      return [];
    };
    const metrics = new Metrics({ version: "1.2.3", depth });
    const [one, other] = await Promise.all([metrics.read(), metrics.read()]);
    expect([asked, one === other]).toEqual([1, true]);
    await metrics.read();
    expect(asked).toBe(2);
  });

  test("/metrics counts deliveries, and strangers make up no labels", async () => {
    const world = await serverWorld();
    await post(world, delivery("issue_comment", COMMENT));
    await post(world, delivery("made_up", COMMENT));
    await post(world, withHeader("x-hub-signature-256", "sha256=abc")(delivery("issue_comment", COMMENT)));
    const page = await (await fetch(`${world.server.url}/metrics`)).text();
    expect(page.split("\n").filter((line) => /^koryph_(deliveries|inbox|build)/.test(line))).toEqual([
      'koryph_deliveries_total{event="issue_comment",answer="accepted"} 1',
      'koryph_deliveries_total{event="other",answer="ignored"} 1',
      'koryph_deliveries_total{event="other",answer="bad-signature"} 1',
      `koryph_build_info{version="1.2.3",node="${process.version}"} 1`,
      'koryph_inbox_jobs{lane="intake",state="waiting"} 1',
    ]);
  });
});
