import { type IncomingHttpHeaders, request } from "node:http";

export interface Asked {
  /** Sent as a browser sends a form. */
  readonly form?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

export interface Shown {
  readonly status: number;
  readonly location: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** `fetch` sets Host and Origin itself, and follows where it is sent, so this asks by hand. */
export function askPage(url: string, { form, headers = {}, method }: Asked = {}): Promise<Shown> {
  const type = { "content-type": "application/x-www-form-urlencoded" };
  return new Promise((resolve, reject) => {
    const options = {
      method: method ?? (form ? "POST" : "GET"),
      headers: { ...(form && type), ...headers },
      // A connection that stays open would hold up the end of a server.
      agent: false,
    };
    const call = request(url, options, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      answer.on("end", () => {
        const { statusCode = 0, headers: sent } = answer;
        resolve({ status: statusCode, location: sent.location, headers: sent, text });
      });
    });
    call.on("error", reject).end(form && new URLSearchParams(form).toString());
  });
}
