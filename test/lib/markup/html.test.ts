import { expect, test } from "vitest";
import { html } from "../../../src/lib/markup/html.js";

test("values in a template are escaped, markup is not escaped twice", () => {
  expect(html`<p title="${`"'`}">${"<b>"}${html`<i>${"&"}</i>`}${null}${[1, "<"]}</p>`.text).toBe(
    '<p title="&quot;&#39;">&lt;b&gt;<i>&amp;</i>1&lt;</p>',
  );
});
