export const STYLE = `
:root { color-scheme: light dark; --line: #d0d7de; --soft: #f6f8fa; --faint: #59636e; --link: #0969da; --good: #1a7f37; --bad: #d1242f; --warn: #9a6700; }
@media (prefers-color-scheme: dark) {
  :root { --line: #3d444d; --soft: #151b23; --faint: #9198a1; --link: #4493f8; --good: #3fb950; --bad: #f85149; --warn: #d29922; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 0 1rem 4rem; font: 15px/1.5 system-ui, sans-serif; }
a { color: var(--link); text-decoration: none; } a:hover { text-decoration: underline; }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.25rem; align-items: center; padding: .75rem 0; border-bottom: 1px solid var(--line); }
header form { margin-left: auto; }
h1 { font-size: 1.5rem; margin: 1.5rem 0 .25rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } h4 { margin: .5rem 0; }
.faint { color: var(--faint); } .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.row { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; }
.box { border: 1px solid var(--line); border-radius: 6px; margin: .75rem 0; overflow: hidden; }
:target + .box { border-color: var(--link); }
.box.new { border-color: var(--good); }
.box > .top { background: var(--soft); border-bottom: 1px solid var(--line); padding: .4rem .75rem; }
.box > .text { padding: .25rem .75rem; overflow-x: auto; overflow-wrap: break-word; }
.box > .foot { padding: .25rem .75rem .5rem; }
.label { border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; font-size: .8rem; background: var(--soft); }
.nothing { color: var(--faint); font-style: italic; }
table { border-collapse: collapse; margin: .5rem 0; display: block; overflow-x: auto; } th, td { border: 1px solid var(--line); padding: .3rem .6rem; text-align: left; vertical-align: top; } th { background: var(--soft); }
pre { background: var(--soft); border: 1px solid var(--line); border-radius: 6px; padding: .6rem; overflow-x: auto; } code { font: 13px/1.45 ui-monospace, monospace; } :not(pre) > code { overflow-wrap: anywhere; background: var(--soft); border-radius: 4px; padding: .1rem .3rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .3rem 1.25rem; } dt { color: var(--faint); } dd { margin: 0; overflow-wrap: anywhere; }
blockquote { margin: .5rem 0; padding: 0 1rem; border-left: 3px solid var(--line); color: var(--faint); }
ul.plain { list-style: none; padding: 0; margin: 0; } ul.plain > li { border: 1px solid var(--line); border-top-width: 0; padding: .5rem .75rem; } ul.plain > li:first-child { border-top-width: 1px; border-radius: 6px 6px 0 0; } ul.plain > li:last-child { border-radius: 0 0 6px 6px; } ul.plain > li:only-child { border-radius: 6px; }
input, select, textarea, button { font: inherit; color: inherit; background: Canvas; border: 1px solid var(--line); border-radius: 6px; padding: .25rem .6rem; }
input[type=text], textarea { width: 100%; } textarea { min-height: 5.5rem; font-family: ui-monospace, monospace; font-size: 13px; }
button { background: var(--soft); cursor: pointer; } button.main { background: var(--good); border-color: var(--good); color: #fff; font-weight: 600; } @media (prefers-color-scheme: dark) { button.main { background: #238636; } }
button.small { padding: 0 .45rem; font-size: .85rem; } .inner { margin-left: 2rem; } main > details { margin: .6rem 0; } details > summary { cursor: pointer; color: var(--faint); } form.inline { display: inline; } form.wide { display: grid; gap: .5rem; }
.diff .add { color: var(--good); } .diff .del { color: var(--bad); } .diff .at { color: var(--faint); }
`;
