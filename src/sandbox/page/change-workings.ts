import { takeBack } from "../auth/authorizations.js";
import { approveDevice, denyDevice } from "../auth/device-login.js";
import { HttpRefusal } from "../http/route.js";
import type { World } from "../world/world.js";
import { REQUEST_FAULTS, WEBHOOK_FAULTS } from "./workings.js";

const MOST_TIMES = 1000;

/** By page and button. */
const CHANGES: Readonly<Record<string, (world: World, form: URLSearchParams) => void>> = {
  "authorizations revoke": (world, form) => {
    const login = form.get("as") ?? "";
    if (!takeBack(world, login, Number(form.get("app"))))
      throw new HttpRefusal(404, `${login} has not authorised that App.`);
  },
  "deliveries redeliver": (world, form) => {
    const id = Number(form.get("id"));
    const delivery = world.state.deliveries.find((each) => each.id === id);
    if (delivery === undefined) throw new HttpRefusal(404, "That delivery is forgotten.");
    world.redeliver(delivery);
  },
  "faults clear": (world) => world.faults.clear(),
  "faults request": (world, form) => {
    const kind = new Map(Object.entries(REQUEST_FAULTS)).get(form.get("kind") ?? "");
    if (kind === undefined) throw new HttpRefusal(400, "There is no such fault.");
    world.faults.add({ operation: (form.get("operation") ?? "*").trim(), times: timesOf(form), kind });
  },
  "faults webhooks": (world, form) => {
    const webhooks = WEBHOOK_FAULTS.find((each) => each === form.get("webhooks"));
    if (webhooks === undefined) throw new HttpRefusal(400, "There is no such fault.");
    world.faults.add({ webhooks, times: timesOf(form) });
  },
  "login approve": (world, form) => known(approveDevice(world, form.get("code") ?? "", form.get("as") ?? "")),
  "login deny": (world, form) => known(denyDevice(world, form.get("code") ?? "")),
};

/** Carries out a form of the workings' pages. */
export function changeWorkings(world: World, page: string, form: URLSearchParams): void {
  const change = new Map(Object.entries(CHANGES)).get(`${page} ${form.get("do")}`);
  if (change === undefined) throw new HttpRefusal(400, "That is not a button of this page.");
  change(world, form);
}

function timesOf(form: URLSearchParams): number {
  const times = Math.trunc(Number(form.get("times")));
  return times >= 1 ? Math.min(times, MOST_TIMES) : 1;
}

function known(waiting: boolean): void {
  if (!waiting)
    throw new HttpRefusal(404, "No device waits with that code. A code is good for a quarter of an hour.");
}
