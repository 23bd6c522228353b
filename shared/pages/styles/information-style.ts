/** The rules of the pages that only inform: outcomes, instructions, problems. In addition to those of every page. */
export const information_style = `
.plain{color:var(--accent);background:none;border-color:var(--edge)}
.plain:hover{background:var(--back)}
.actions{display:grid;gap:.75rem;margin:1.25rem 0 0}
.codes div{padding:.625rem 0;border-top:1px solid var(--line)}
.codes div:first-child{padding-top:0;border:0}
.codes div:last-child{padding-bottom:0}
.codes dt{font-size:.875rem;color:var(--soft)}
.codes dd{margin:0;font-size:1.375rem;font-weight:700;line-height:1.4;letter-spacing:.02em;user-select:all}
code{font-family:ui-monospace,Menlo,Consolas,monospace}
pre{margin:0 0 1rem;padding:.75rem 1rem;font-size:.875rem;white-space:pre-wrap;background:var(--back);border:1px solid var(--line);border-radius:9px}
ol{margin:0;padding-left:1.5rem}
ol li{padding:.25rem 0 .25rem .25rem}
.notice{margin-top:1rem;text-wrap:balance;padding:2rem 1.25rem;text-align:center;background:var(--panel);border:1px solid var(--line);border-radius:14px}
.notice::before{content:"✓";display:grid;place-content:center;width:56px;height:56px;margin:0 auto 1rem;font:700 28px/1 system-ui,sans-serif;color:var(--panel);background:var(--good);border-radius:50%}
.bad::before{content:"!";background:var(--soft)}
.waiting::before{content:"";color:transparent;background:none;border:5px solid var(--line);border-top-color:var(--accent);animation:turn 1s linear infinite}
.notice h1{margin-bottom:.5rem}
.notice p:last-child{margin-bottom:0}
@keyframes turn{to{rotate:1turn}}
@media (prefers-reduced-motion:reduce){.waiting::before{animation:none}}
@media print{:root{--back:#fff;--panel:#fff;--text:#000;--soft:#333;--line:#999}nav,footer,.actions,.test{display:none}body{font-size:12pt}header,main{max-width:none}.panel{box-shadow:none;break-inside:avoid}}
`
