/** Elements that hold what follows them until they are closed, paragraphs and all. */
const CONTAINERS = names(
  "article aside audio blockquote button canvas center details dialog div dl fieldset figure footer form frameset",
  "header iframe math nav noembed noframes noscript ol picture plaintext pre script section select style summary svg",
  "table template textarea title ul video xmp",
);

/** Elements that dress up or replace running text. */
const SPANS = names(
  "a abbr acronym b bdi bdo big cite code data del dfn em font h1 h2 h3 h4 h5 h6 i ins kbd label mark q rp rt ruby s",
  "samp small span strike strong sub sup time tt u var",
);

/**
 * A name in angle brackets that is no element, such as `Promise<string>`, is never open. A quoted attribute belongs to
 * its tag, whatever it looks like.
 */
const MARK = /<!--|<(\/?)([a-z][a-z0-9]*)(?=[\s/>]|$)((?:[^"'>]|"[^"]*"|'[^']*')*)(>?)/giy;

/**
 * Which HTML elements are open at a point of a markdown text. A blank line ends what markdown takes for HTML, but
 * not the element: what follows `<details>` and a blank line is still shown inside it.
 */
export class OpenElements {
  readonly #whole = new Map<string, number>();
  readonly #inParagraph = new Map<string, number>();
  /** A comment that a blank line cut off from its end goes on: further text is escaped and cannot end it. */
  #inComment = false;

  get any(): boolean {
    return this.#inComment || this.#whole.size > 0 || this.#inParagraph.size > 0;
  }

  /** A piece of HTML that stands by itself. */
  readBlock(html: string): void {
    for (const { name, closes } of this.#marksOf(html)) {
      if (closes) shut(this.#whole, name);
      else if (CONTAINERS.has(name) || SPANS.has(name)) add(this.#whole, name);
    }
  }

  /**
   * A piece of HTML inside a list, a quote or a heading. What it opens is taken to stay open; what was open before it
   * is not closed by it, except a comment.
   */
  readNested(html: string): void {
    const opened = new Map<string, number>();
    for (const { name, closes } of this.#marksOf(html)) {
      if (closes) shut(opened, name);
      else if (CONTAINERS.has(name)) add(opened, name);
    }
    for (const name of opened.keys()) add(this.#whole, name);
  }

  /** A piece of HTML in the middle of a paragraph. */
  readInline(html: string): void {
    for (const { name, closes } of this.#marksOf(html)) {
      if (closes) shut(this.#inParagraph.has(name) ? this.#inParagraph : this.#whole, name);
      else if (CONTAINERS.has(name)) add(this.#whole, name);
      else if (SPANS.has(name)) add(this.#inParagraph, name);
    }
  }

  endParagraph(): void {
    this.#inParagraph.clear();
  }

  #marksOf(html: string): { name: string; closes: boolean }[] {
    const marks: { name: string; closes: boolean }[] = [];
    for (let at = 0; at < html.length; ) {
      if (this.#inComment) {
        const end = html.indexOf("-->", at);
        if (end === -1) break;
        this.#inComment = false;
        at = end + 3;
        continue;
      }
      const next = html.indexOf("<", at);
      if (next === -1) break;
      MARK.lastIndex = next;
      const [mark = "<", slash, name = "", , end] = MARK.exec(html) ?? [];
      at = next + mark.length;
      if (mark === "<!--") this.#inComment = true;
      else if (name !== "") {
        marks.push({ name: name.toLowerCase(), closes: slash === "/" });
        // A tag that does not end takes in what follows, as a comment does: further text is escaped and cannot end it.
        if (end === "") this.#inComment = true;
      }
    }
    return marks;
  }
}

function add(open: Map<string, number>, name: string): void {
  open.set(name, (open.get(name) ?? 0) + 1);
}

function shut(open: Map<string, number>, name: string): void {
  const left = (open.get(name) ?? 0) - 1;
  if (left > 0) open.set(name, left);
  else open.delete(name);
}

function names(...lists: readonly string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(" ")));
}
