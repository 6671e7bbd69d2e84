import { expect, test } from "vitest";
import { readChoices, type SentChoices } from "../../../src/core/setup/app-choices.js";

const GITHUB = "https://github.com";
const BASE: SentChoices = {
  name: " Our koryph ",
  owner: "person",
  organisation: "",
  reach: "address",
  address: "https://koryph.example.com/",
  channel: "",
};

const read = (sent: Partial<SentChoices>, serverUrl = GITHUB) => readChoices({ ...BASE, ...sent }, serverUrl);

test("an address is where the server listens, with or without the path", () => {
  const choices = {
    name: "Our koryph",
    organisation: null,
    channel: null,
    homepage: "https://koryph.example.com",
    webhookUrl: "https://koryph.example.com/api/github/webhooks",
  };
  expect(read({})).toEqual({ kind: "ok", choices });
  expect(read({ address: choices.webhookUrl })).toEqual({ kind: "ok", choices });
  expect(read({ address: "https://koryph.example.com/below" })).toMatchObject({
    choices: { webhookUrl: "https://koryph.example.com/below/api/github/webhooks" },
  });
});

test("a channel takes the webhooks as it is, and stays off the App's page", () => {
  const channel = "https://smee.io/AbC123";
  expect(read({ reach: "smee", channel, address: "not looked at" })).toEqual({
    kind: "ok",
    choices: { name: "Our koryph", organisation: null, channel, webhookUrl: channel, homepage: GITHUB },
  });
});

test("an organisation is named only where it is chosen", () => {
  expect(read({ organisation: "acme" })).toMatchObject({ choices: { organisation: null } });
  expect(read({ owner: "organisation", organisation: " acme " })).toMatchObject({
    choices: { organisation: "acme" },
  });
});

test("a GitHub on this machine reaches what is on this machine", () => {
  expect(read({ address: "http://127.0.0.1:3000" }, "http://127.0.0.1:4567")).toMatchObject({
    choices: { webhookUrl: "http://127.0.0.1:3000/api/github/webhooks" },
  });
});

test.each<{ name: string; sent: Partial<SentChoices>; problems: string[] }>([
  { name: "no name", sent: { name: "  " }, problems: ["name empty"] },
  { name: "a name of signs", sent: { name: "--- !" }, problems: ["name empty"] },
  { name: "a long name", sent: { name: "k".repeat(35) }, problems: ["name long"] },
  { name: "no organisation", sent: { owner: "organisation" }, problems: ["organisation no-login"] },
  {
    name: "an organisation that is a path",
    sent: { owner: "organisation", organisation: "../settings" },
    problems: ["organisation no-login"],
  },
  { name: "no address", sent: { address: "koryph.example.com" }, problems: ["address no-address"] },
  { name: "a script", sent: { address: "javascript:alert(1)" }, problems: ["address no-address"] },
  { name: "no encryption", sent: { address: "http://koryph.example.com" }, problems: ["address no-address"] },
  { name: "a password", sent: { address: "https://a:b@example.com" }, problems: ["address secret"] },
  { name: "a query", sent: { address: "https://example.com/?t=1" }, problems: ["address secret"] },
  { name: "this machine", sent: { address: "http://localhost:3000" }, problems: ["address here"] },
  { name: "this machine, encrypted", sent: { address: "https://[::1]/" }, problems: ["address here"] },
  {
    name: "smee without a channel",
    sent: { reach: "smee", channel: "https://smee.io/" },
    problems: ["channel no-channel"],
  },
  {
    name: "all of it",
    sent: { name: "", owner: "organisation", address: "" },
    problems: ["name empty", "organisation no-login", "address no-address"],
  },
])("$name is told", ({ sent, problems }) => {
  const reading = read(sent);
  const told = reading.kind === "ok" ? [] : reading.problems.map(({ field, why }) => `${field} ${why}`);
  expect(told).toEqual(problems);
});
