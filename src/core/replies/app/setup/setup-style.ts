/** All that the pages of the set-up look like. It stands in them: they fetch nothing. */
export const SETUP_STYLE = `
:root { color-scheme: light dark; --line: #d0d7de; --soft: #f6f8fa; --faint: #59636e; --link: #0969da; --good: #1a7f37; --bad: #d1242f; --main: #1f883d; }
@media (prefers-color-scheme: dark) { :root { --line: #3d444d; --soft: #151b23; --faint: #9198a1; --link: #4493f8; --good: #3fb950; --bad: #f85149; --main: #238636; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 44rem; padding: 1.5rem 1rem 4rem; font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; margin: .5rem 0; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; } p { margin: .5rem 0; }
a { color: var(--link); } .faint { color: var(--faint); } .bad { color: var(--bad); } .step { color: var(--faint); font-size: .9rem; }
fieldset { border: 1px solid var(--line); border-radius: 6px; margin: 1.25rem 0; padding: .5rem 1rem 1rem; } legend { font-weight: 600; padding: 0 .4rem; }
fieldset.wrong { border-color: var(--bad); }
label { display: block; margin-top: .6rem; } label:has(> input[type=radio]) { display: flex; gap: .5rem; align-items: baseline; }
input[type=text], input[type=url] { font: inherit; color: inherit; width: 100%; background: Canvas; border: 1px solid var(--line); border-radius: 6px; padding: .4rem .6rem; margin-top: .25rem; }
label:has(input[type=radio]:not(:checked)) + .under { display: none; } .under { margin: 0 0 0 1.6rem; }
button { font: inherit; font-weight: 600; cursor: pointer; border: 1px solid transparent; border-radius: 6px; padding: .45rem 1rem; background: var(--main); color: #fff; }
.row { display: flex; flex-wrap: wrap; gap: 1rem; align-items: center; margin-top: 1.25rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem; border: 1px solid var(--line); border-radius: 6px; padding: 1rem; margin: 1rem 0; } dt { color: var(--faint); } dd { margin: 0; min-width: 0; }
@media (max-width: 30rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; } }
table { border-collapse: collapse; margin: .5rem 0; } th, td { border: 1px solid var(--line); padding: .25rem .75rem; text-align: left; } th { background: var(--soft); }
details { margin-top: 1rem; } summary { cursor: pointer; color: var(--faint); } code { font: .9em/1.45 ui-monospace, monospace; background: var(--soft); border-radius: 4px; padding: .1rem .3rem; }
ol > li { margin: .75rem 0; }
`;
