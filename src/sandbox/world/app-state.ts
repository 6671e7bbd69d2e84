import type { JsonObject } from "../http/json.js";

export interface App {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly owner: string;
  readonly clientId: string;
  /** PEM; the private one is handed out once and not kept. */
  readonly publicKey: string;
  webhookUrl: string | null;
  webhookSecret: string;
  events: string[];
  permissions: Record<string, "read" | "write">;
  installations: Installation[];
  /** The user its comments appear under: `<slug>[bot]`. */
  readonly botUser: number;
}

export interface Installation {
  readonly id: number;
  readonly account: string;
  /** `owner/name`. */
  repositories: string[];
  suspended: boolean;
  readonly createdAt: string;
}

/** Kept by its SHA-256, as nobody needs to read most of them back. */
export interface Token {
  readonly hash: string;
  readonly kind: "installation" | "user" | "user-to-server";
  /** Whose it is: a login; null for an installation's. */
  readonly login: string | null;
  readonly app: number | null;
  readonly installation: number | null;
  readonly permissions: Record<string, "read" | "write">;
  /** Null: all that the installation, or the user, can see. */
  readonly repositories: string[] | null;
  readonly expiresAt: string | null;
  /** The token itself, of those that the page shows to people. */
  readonly shown?: string;
}

export interface Delivery {
  readonly id: number;
  /** The same for every attempt at one event. */
  readonly guid: string;
  readonly app: number;
  readonly event: string;
  readonly action: string | null;
  readonly installation: number | null;
  readonly repository: number | null;
  readonly deliveredAt: string;
  readonly redelivery: boolean;
  /** 0 when nothing answered. */
  statusCode: number;
  durationMs?: number;
  /** What came back, cut to a reasonable length. */
  response?: string;
  readonly payload: JsonObject;
}

export interface DeviceLogin {
  readonly deviceCode: string;
  readonly userCode: string;
  readonly app: number;
  readonly expiresAt: string;
  intervalSeconds: number;
  /** Who has entered the code; null until somebody does. */
  approvedBy: string | null;
  denied: boolean;
}
