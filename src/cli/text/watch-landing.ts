import type { LandingNews } from "../../landing/landing-news.js";
import { cutToWidth } from "../../lib/display-width.js";
import { plainText } from "../../lib/plain-text.js";
import { LandingClock } from "../../wiring/news/landing-clock.js";
import { newsText } from "../../wiring/news/news-text.js";
import type { Terminal } from "./terminal.js";

const EVERY_MS = 1_000;

interface Watched {
  readonly report: (news: LandingNews) => void;
  readonly stop: () => void;
}

/** Shows how a person's landing goes on; how it ends is told by whoever asked for it. */
export function watchLanding(
  { paint, screen }: Terminal,
  {
    bead,
    draw,
    say,
  }: { readonly bead: string; readonly draw: boolean; readonly say: (line: string) => void },
): Watched {
  const drawn = draw ? screen : undefined;
  const clock = new LandingClock(
    drawn === undefined ? (whose, text) => say(`${whose}  ${paint.faint(text)}`) : null,
  );
  const redraw = () =>
    drawn?.show(({ columns }) =>
      clock
        .of(bead, Date.now())
        .map((text, at) => (at === 0 ? `${plainText(bead)}  ${text}` : `  ${text}`))
        .map((line) => paint.faint(cutToWidth(line, columns - 1))),
    );
  const timer = drawn && setInterval(redraw, EVERY_MS);
  return {
    report: (news) => {
      if (!clock.hear(news) && news.kind === "landing") say(newsText(news, paint));
      redraw();
    },
    stop: () => {
      clearInterval(timer);
      clock.stop();
      drawn?.close();
    },
  };
}
