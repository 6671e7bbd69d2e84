import { Html } from "../../../lib/markup/html.js";

/** Light and dark as the reader has it, without a font or picture from anywhere. */
export const PAGE_STYLE = new Html(`
:root { color-scheme: light dark; --line: #d8dee4; --soft: #f6f8fa; --faint: #59636e; --link: #0969da; --good: #1a7f37; --bad: #c4232b; --warn: #8a5d00; --plain: #3b6ea5; --back: #fff; --text: #1f2328; }
@media (prefers-color-scheme: dark) {
  :root { --line: #30363d; --soft: #161b22; --faint: #9198a1; --link: #58a6ff; --good: #3fb950; --bad: #f85149; --warn: #d29922; --plain: #6ca4e0; --back: #0d1117; --text: #e6edf3; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 72rem; padding: 1.5rem 1.25rem 3rem; font: 15px/1.5 system-ui, sans-serif; background: var(--back); color: var(--text); }
header { border-bottom: 1px solid var(--line); padding-bottom: .75rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; overflow-wrap: anywhere; } h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; } h3 { font-size: .85rem; margin: .9rem 0 .25rem; color: var(--faint); font-weight: 600; }
header p { margin: .25rem 0; } .brand { color: var(--faint); font-weight: 600; letter-spacing: .04em; margin: 0; }
a { color: var(--link); } code { font: 13px/1.45 ui-monospace, monospace; overflow-wrap: anywhere; }
.faint { color: var(--faint); } .good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); } .plain { color: var(--plain); }
.nothing { color: var(--faint); font-style: italic; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .75rem; margin: 1.25rem 0 .75rem; }
.figures div { border: 1px solid var(--line); border-radius: 8px; padding: .6rem .9rem; background: var(--soft); display: flex; flex-direction: column-reverse; }
.figures dt { color: var(--faint); font-size: .85rem; } .figures dd { margin: 0; font-size: 1.5rem; font-weight: 600; font-variant-numeric: tabular-nums; }
.timeline { border: 1px solid var(--line); border-radius: 8px; padding: .25rem 1rem .75rem; } .timeline ul { list-style: none; margin: 0; padding: 0; }
.timeline li { display: grid; grid-template-columns: minmax(8rem, 20rem) 1fr; gap: .75rem; align-items: center; padding: .15rem 0; }
.name { white-space: nowrap; overflow: hidden; text-overflow: ellipsis; } .track { position: relative; height: .9rem; background: var(--soft); border-radius: 4px; }
.bar { position: absolute; top: 0; bottom: 0; border-radius: 4px; min-width: 3px; background: currentColor; }
.axis { display: flex; justify-content: space-between; margin: .25rem 0 0 calc(min(20rem, 40%) + .75rem); font-size: .8rem; }
.legend { margin: .6rem 0 0; font-size: .8rem; } .key { display: inline-block; margin-right: .9rem; } .swatch { display: inline-block; width: .9rem; height: .7rem; border-radius: 3px; background: currentColor; }
.scroll { overflow-x: auto; margin: .5rem 0 1rem; } table { border-collapse: collapse; width: 100%; }
caption { text-align: left; color: var(--faint); font-weight: 600; font-size: .85rem; padding: .25rem 0; }
td code { overflow-wrap: break-word; } th, td { border-bottom: 1px solid var(--line); padding: .4rem .7rem .4rem 0; text-align: left; vertical-align: top; } thead th { color: var(--faint); font-size: .85rem; } tbody th { font-weight: normal; }
footer { border-top: 1px solid var(--line); margin-top: 2.5rem; padding-top: .75rem; font-size: .85rem; }
@media print { body { max-width: none; } .scroll { overflow: visible; } }
`);
