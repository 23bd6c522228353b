/** The style sheet of the pages, for phones and desktops, light and dark mode, and print. */
export const style = `
:root{color-scheme:light dark;--back:#f4f5f8;--panel:#fff;--text:#1a1f2b;--soft:#566074;--line:#d5dae3;--edge:#7f8a9e;--accent:#2546d2;--over:#1b36ab;--on:#fff;--bad:#b3151f;--bad-back:#fdf0f0;--good:#0b6b3a;--test:#6a4500;--test-back:#fff3d6}
@media (prefers-color-scheme:dark){:root{--back:#11141b;--panel:#1b202a;--text:#eef1f6;--soft:#a9b3c4;--line:#343c4b;--edge:#77839a;--accent:#8fa8ff;--over:#b3c4ff;--on:#0d1330;--bad:#ff9c9c;--bad-back:#351b1f;--good:#6fdb9f;--test:#ffd98a;--test-back:#3a2e12}}
*,*::before,*::after{box-sizing:border-box}
html{font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%}
:lang(ja){font-family:"Hiragino Sans","Hiragino Kaku Gothic ProN","Yu Gothic UI",Meiryo,"Noto Sans JP","Noto Sans CJK JP",system-ui,sans-serif}
:lang(ko){font-family:"Apple SD Gothic Neo","Malgun Gothic","Noto Sans KR","Noto Sans CJK KR",system-ui,sans-serif;word-break:keep-all}
:lang(en){font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
body{margin:0;background:var(--back);color:var(--text);overflow-wrap:anywhere}
header,main,footer{max-width:32rem;margin:0 auto;padding:0 1rem}
header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 1rem;padding-top:.75rem}
header ul{display:flex;margin:0 -.5rem;padding:0;list-style:none}
.merchant{display:flex;flex:1 1 100%;align-items:center;gap:.75rem;min-width:0;margin:0;font-size:1.125rem;font-weight:700;line-height:1.35}
.merchant img{flex:none;width:40px;height:40px;object-fit:contain}
.merchant bdi{min-width:0}
.lock{display:flex;align-items:center;gap:.4rem;margin:0;font-size:.875rem;font-weight:600;color:var(--soft)}
nav a{display:flex;align-items:center;min-height:44px;padding:0 .5rem;font-size:.875rem;color:var(--soft)}
nav a[aria-current]{color:var(--text);font-weight:600;text-decoration:none}
main{padding-top:1rem;padding-bottom:2rem}
footer{padding-bottom:2rem;font-size:.8125rem;color:var(--soft);text-align:center}
h1{margin:0 0 .25rem;font-size:1.625rem;line-height:1.3;text-wrap:balance;word-break:auto-phrase}
h2{margin:0 0 .75rem;font-size:1rem;line-height:1.4}
p{margin:0 0 1rem}
a{color:var(--accent)}
small{font-size:.8125rem;font-weight:400;color:var(--soft)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.panel,.methods{margin:1rem 0 1.5rem;background:var(--panel);border:1px solid var(--line);border-radius:14px;box-shadow:0 1px 2px rgb(16 24 40/.06),0 8px 24px rgb(16 24 40/.05)}
.panel{padding:1.25rem}
.test,.alert{margin:0 0 1.25rem;padding:.75rem 1rem;border-radius:10px}
.test{background:var(--test-back);color:var(--test);font-size:.875rem}
.test strong{margin-right:.5rem}
.alert{margin-top:1rem;border:1px solid var(--bad);background:var(--bad-back)}
.alert h2{margin:0 0 .25rem;color:var(--bad)}
.alert p,.alert ul{margin:0}
.alert ul{padding-left:1.25rem}
.alert a{display:inline-block;padding:.25rem 0;color:var(--bad)}
.items{margin:0;padding:0;list-style:none}
.items li{display:flex;justify-content:space-between;gap:1rem;padding:.375rem 0}
.price,dd{font-variant-numeric:tabular-nums}
.price{flex:none;max-width:50%}
.quantity{color:var(--soft);white-space:nowrap}
.more summary{display:flex;align-items:center;min-height:44px;color:var(--accent);cursor:pointer;text-decoration:underline}
.more[open] summary{color:var(--soft)}
dl{margin:0}
.sums div{display:flex;justify-content:space-between;gap:0 1rem;padding:.25rem 0}
.sums dt{flex:none;color:var(--soft)}
.sums dd{margin:0;text-align:right}
.sums .total{align-items:baseline}
.sums .total dt{color:var(--text);font-weight:600}
.total dd{font-size:1.625rem;font-weight:700;line-height:1.3}
.order .items,.order .more{margin-bottom:.5rem}
.order h2~.sums{padding-top:.75rem;border-top:1px solid var(--line)}
.methods{overflow:hidden}
.methods details+details{border-top:1px solid var(--line)}
.methods summary{display:flex;align-items:center;gap:.75rem;min-height:60px;padding:.5rem 1.25rem;font-weight:600;list-style:none;cursor:pointer}
.methods summary::-webkit-details-marker{display:none}
.methods summary::before{content:"";flex:none;width:20px;height:20px;border:2px solid var(--edge);border-radius:50%}
.methods [open]>summary::before{border:6px solid var(--accent)}
.methods summary:hover{background:var(--back)}
.methods summary:focus-visible{outline-offset:-3px;border-radius:14px}
.fee{margin-left:auto;text-align:right}
h2 .fee{margin-left:.5rem}
.methods form{padding:.25rem 1.25rem 1.5rem}
.fields{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin-bottom:1.25rem}
.field{grid-column:1/-1;min-width:0;margin:0;padding:0;border:0}
.half{grid-column:auto}
@media (max-width:22rem){.half{grid-column:1/-1}}
label,legend{display:block;padding:0;margin-bottom:.25rem;font-size:.875rem;font-weight:600}
.box{position:relative}
input:not([type=radio]){width:100%;min-height:48px;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--panel);border:1px solid var(--edge);border-radius:9px}
input::placeholder{color:var(--soft);opacity:.85}
input:focus-visible{outline-offset:0;border-color:var(--accent)}
[aria-invalid] input,input[aria-invalid]{border-color:var(--bad);border-width:2px}
.brand{position:absolute;right:.75rem;top:50%;translate:0 -50%;padding-left:.5rem;font-size:.8125rem;font-weight:600;color:var(--soft);background:var(--panel)}
.hint{margin:.25rem 0 0;font-size:.8125rem;line-height:1.5;color:var(--soft)}
form>.hint{margin:0 0 1rem;font-size:.875rem}
.fault{margin:.25rem 0 0;font-size:.875rem;font-weight:600;color:var(--bad)}
.options{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:.5rem}
.option{display:flex;align-items:center;gap:.5rem;min-height:48px;margin:0;padding:.25rem .75rem;font-weight:400;font-size:.9375rem;border:1px solid var(--edge);border-radius:9px;cursor:pointer}
[aria-invalid] .option{border-color:var(--bad)}
.option:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.option:focus-within{outline:3px solid var(--accent);outline-offset:1px}
.option input{flex:none;width:20px;height:20px;margin:0;accent-color:var(--accent);outline:0}
.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:52px;padding:.5rem 1rem;font:inherit;font-weight:700;line-height:1.3;text-align:center;text-decoration:none;color:var(--on);background:var(--accent);border:1px solid var(--accent);border-radius:10px;cursor:pointer;transition:background .15s}
.button:hover{background:var(--over)}
.plain{color:var(--accent);background:none;border-color:var(--edge)}
.plain:hover{background:var(--back)}
.button:disabled{opacity:.65;cursor:progress}
[hidden]{display:none}
.link{min-height:44px;padding:.25rem .75rem;font:inherit;font-size:.9375rem;color:var(--soft);text-decoration:underline;background:none;border:0;cursor:pointer}
.cancel{text-align:center}
.actions{display:grid;gap:.75rem;margin:1.25rem 0 0}
.codes div{padding:.625rem 0;border-top:1px solid var(--line)}
.codes div:first-child{padding-top:0;border:0}
.codes div:last-child{padding-bottom:0}
.codes dt{font-size:.875rem;color:var(--soft)}
.codes dd{margin:0;font-size:1.375rem;font-weight:700;line-height:1.4;letter-spacing:.02em;user-select:all}
pre{margin:0 0 1rem;padding:.75rem 1rem;font-size:.875rem;white-space:pre-wrap;background:var(--back);border:1px solid var(--line);border-radius:9px}
code{font-family:ui-monospace,Menlo,Consolas,monospace}
.panel>:last-child{margin-bottom:0}
ol{margin:0;padding-left:1.5rem}
ol li{padding:.25rem 0 .25rem .25rem}
.notice{margin-top:1rem;padding:2rem 1.25rem;text-align:center;background:var(--panel);border:1px solid var(--line);border-radius:14px}
.notice::before{content:"✓";display:grid;place-content:center;width:56px;height:56px;margin:0 auto 1rem;font:700 28px/1 system-ui,sans-serif;color:var(--panel);background:var(--good);border-radius:50%}
.bad::before{content:"!";background:var(--soft)}
.waiting::before{content:"";color:transparent;background:none;border:5px solid var(--line);border-top-color:var(--accent);animation:turn 1s linear infinite}
.notice h1{margin-bottom:.5rem}
.notice p:last-child{margin-bottom:0}
@keyframes turn{to{rotate:1turn}}
@media (prefers-reduced-motion:reduce){*,*::before{animation:none!important;transition:none!important}}
@media print{:root{--back:#fff;--panel:#fff;--text:#000;--soft:#333;--line:#999}nav,footer,.actions,.test{display:none}body{font-size:12pt}header,main{max-width:none}.panel{box-shadow:none;break-inside:avoid}}
`
