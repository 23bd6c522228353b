/** The style sheet of the documentation, for phones and desktops, light and dark mode, and print. */
export const style = `
:root{color-scheme:light dark;--back:#fff;--raised:#f6f7fa;--text:#1a1f2b;--soft:#565f73;--line:#e2e6ee;--edge:#8791a5;--accent:#2546d2;--tint:#eef2ff;--code:#f6f7fa;--code-text:#1d2536;--code-line:#e2e6ee;--get:#0b6b3a;--post:#2546d2;--patch:#8a4b00;--delete:#b3151f;--mark:#ffe9a8;--note:#f3f6ff}
@media (prefers-color-scheme:dark){:root{--back:#0f1218;--raised:#171b24;--text:#e8ecf3;--soft:#a3adbf;--line:#272e3b;--edge:#76829a;--accent:#93abff;--tint:#1b2340;--code:#151a23;--code-text:#dfe5f0;--code-line:#2a3140;--get:#6fdb9f;--post:#93abff;--patch:#f4bd75;--delete:#ff9c9c;--mark:#5a4611;--note:#171f35}}
*,*::before,*::after{box-sizing:border-box}
html{font:15px/1.65 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif;-webkit-text-size-adjust:100%;text-size-adjust:100%;scroll-padding-top:4.75rem}
[lang=ja]{font-family:"Hiragino Sans","Hiragino Kaku Gothic ProN","Yu Gothic UI",Meiryo,"Noto Sans JP","Noto Sans CJK JP",system-ui,sans-serif;line-height:1.8;line-break:strict}
[lang=en]{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
body{margin:0;background:var(--back);color:var(--text);overflow-wrap:anywhere}
a{color:var(--accent);text-decoration:none}
p a,li a,td a,.note a{text-decoration:underline;text-decoration-thickness:1px;text-underline-offset:3px}
a:hover{text-decoration:underline}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
code,pre{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.8667rem}
:not(pre)>code{padding:.1em .3em;-webkit-box-decoration-break:clone;box-decoration-break:clone;background:var(--raised);border:1px solid var(--line);border-radius:4px}
a code{color:inherit}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip{position:absolute;left:1rem;top:-4rem;z-index:9;padding:.5rem .75rem;background:var(--back);border:1px solid var(--edge)}
.skip:focus{top:.5rem}
header{position:sticky;top:0;z-index:5;display:flex;align-items:center;gap:.5rem 1.25rem;height:3.75rem;padding:0 max(1.5rem,calc((100vw - 92rem)/2 + 1.5rem));background:var(--back);border-bottom:1px solid var(--line)}
header .name{display:flex;align-items:baseline;gap:.5rem;color:var(--text);font-weight:650;font-size:1rem;letter-spacing:-.01em;white-space:nowrap}
header .name span{padding:.05rem .4rem;color:var(--accent);background:var(--tint);border-radius:5px;font-size:.75rem;font-weight:600;letter-spacing:0}
header form{flex:1;max-width:26rem;margin:0 auto}
header .langs{display:flex;gap:.25rem;margin:0;padding:0;list-style:none;font-size:.8667rem;white-space:nowrap}
header .langs a{display:block;padding:.35rem .5rem;color:var(--soft);border-radius:6px;text-decoration:none}
header .langs a[aria-current]{color:var(--text);font-weight:600;background:var(--raised)}
.find{display:flex;position:relative}
.find input{width:100%;height:2.35rem;padding:0 4.5rem 0 .75rem;font:inherit;font-size:.9333rem;color:inherit;background:var(--raised);border:1px solid var(--edge);border-radius:8px}
.find input::placeholder{color:var(--soft);opacity:1}
.find button{position:absolute;right:3px;top:3px;bottom:3px;padding:0 .65rem;font:inherit;font-size:.8rem;font-weight:600;color:var(--accent);background:var(--back);border:1px solid var(--line);border-radius:6px;cursor:pointer}
.frame{display:grid;grid-template-columns:16rem minmax(0,1fr);max-width:92rem;margin:0 auto}
.side{border-right:1px solid var(--line)}
.menu summary{display:none}
.menu summary::before{content:"";width:1rem;height:.65rem;border:solid;border-width:2px 0}
nav.site{position:sticky;top:3.75rem;max-height:calc(100vh - 3.75rem);padding:1.5rem 1rem 2rem 1.5rem;overflow-y:auto;scrollbar-width:thin}
nav.site h2{margin:1.25rem 0 .25rem;padding:0 .6rem;font-size:.7667rem;font-weight:650;letter-spacing:.04em;text-transform:uppercase;color:var(--soft)}
nav.site h2:first-child{margin-top:0}
nav.site ul{margin:0;padding:0;list-style:none}
nav.site a{display:block;padding:.24rem .6rem;color:var(--soft);font-size:.9333rem;line-height:1.45;border-radius:6px;text-decoration:none}
nav.site a:hover{color:var(--text);background:var(--raised)}
nav.site a[aria-current]{color:var(--accent);background:var(--tint);font-weight:600}
.page{display:grid;grid-template-columns:minmax(0,46rem) 13rem;gap:3rem;justify-content:center;padding:2.25rem 2rem 3rem}
.page.wide{grid-template-columns:minmax(0,74rem)}
.page>article{grid-column:1;grid-row:1;min-width:0}
.toc{grid-column:2;grid-row:1;font-size:.8667rem}
.toc>div{position:sticky;top:6rem;max-height:calc(100vh - 7rem);overflow-y:auto;scrollbar-width:thin}
.toc h2{margin:0 0 .4rem;font-size:.7667rem;font-weight:650;letter-spacing:.04em;text-transform:uppercase;color:var(--soft)}
.toc ul{margin:0;padding:0;list-style:none}
.toc a{display:block;padding:.2rem 0 .2rem .75rem;color:var(--soft);border-left:2px solid var(--line);line-height:1.4;text-decoration:none}
.toc a:hover{color:var(--text);border-color:var(--accent)}
.jump{display:none}
h1{margin:0 0 .5rem;font-size:2rem;line-height:1.2;letter-spacing:-.02em;font-weight:680;text-wrap:balance}
h2{margin:2.75rem 0 .75rem;font-size:1.3333rem;line-height:1.35;letter-spacing:-.01em;font-weight:650}
h2 code{padding:0;font-size:.95em;background:none;border:0}
h1,h2,nav a{word-break:auto-phrase}
h3{margin:1.75rem 0 .5rem;font-size:1rem;line-height:1.4;font-weight:650}
p{margin:0 0 1rem}
.lead{margin-bottom:1.75rem;font-size:1.0667rem;color:var(--soft)}
article ul,article ol{margin:0 0 1rem;padding-left:1.35rem}
article li{margin:.2rem 0}
.scroll{margin:0 0 1.25rem;overflow-x:auto;border:1px solid var(--line);border-radius:8px}
table{width:100%;border-collapse:collapse;font-size:.9333rem;line-height:1.5}
th,td{padding:.5rem .85rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line);overflow-wrap:normal}
tbody tr:last-child>*{border-bottom:0}
thead th{background:var(--raised);font-size:.8rem;font-weight:650;color:var(--soft);white-space:nowrap}
tbody th{font-weight:600}
td code,th code{white-space:nowrap}
tr:target{background:var(--tint)}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.note{margin:0 0 1.25rem;padding:.75rem 1rem;background:var(--note);border-left:3px solid var(--accent);border-radius:0 8px 8px 0}
.note>:last-child{margin-bottom:0}
.sample{position:relative;margin:0 0 1.25rem;overflow:hidden;background:var(--code);color:var(--code-text);border:1px solid var(--code-line);border-radius:9px}
.sample fieldset{display:flex;flex-wrap:wrap;gap:0 .15rem;min-width:0;margin:0;padding:.3rem 4.5rem .3rem .4rem;border:0;border-bottom:1px solid var(--code-line)}
.sample .title{margin:0;padding:.45rem 5rem .45rem .85rem;font-size:.8rem;font-weight:600;color:var(--soft);border-bottom:1px solid var(--code-line)}
.sample label{position:relative;padding:.2rem .55rem;font-size:.8rem;font-weight:600;line-height:1.6;color:var(--soft);border-radius:6px;cursor:pointer}
.sample label:hover{color:var(--text)}
.sample label:has(:checked){color:var(--accent);background:var(--back);box-shadow:0 0 0 1px var(--code-line)}
.sample label:has(:focus-visible){outline:2px solid var(--accent)}
.sample input{position:absolute;inset:0;margin:0;opacity:0;cursor:pointer}
pre{margin:0;padding:.85rem 1rem;overflow-x:auto;line-height:1.6;scrollbar-width:thin;tab-size:2;-webkit-overflow-scrolling:touch}
article>pre,article :not(.sample)>pre{margin:0 0 1.25rem;background:var(--code);color:var(--code-text);border:1px solid var(--code-line);border-radius:9px}
pre:focus-visible,.scroll:focus-visible{outline-offset:-2px}
pre code{font-size:inherit}
@supports selector(:has(*)){.sample:has(input) pre{display:none}
.sample:has([value=shell]:checked) [data-of=shell],.sample:has([value=typescript]:checked) [data-of=typescript],.sample:has([value=python]:checked) [data-of=python],.sample:has([value=go]:checked) [data-of=go],.sample:has([value=php]:checked) [data-of=php],.sample:has([value=ruby]:checked) [data-of=ruby],.sample:has([value=json]:checked) [data-of=json]{display:block}}
.copy{position:absolute;right:.4rem;top:.35rem;padding:.15rem .55rem;font:inherit;font-size:.7667rem;font-weight:600;color:var(--soft);background:var(--back);border:1px solid var(--code-line);border-radius:6px;cursor:pointer}
.copy:hover{color:var(--accent)}
.pair{padding-top:2.25rem;margin-top:2.25rem;border-top:1px solid var(--line)}
.pair h2{margin-top:0}
.route{margin-bottom:.9rem}
b.get,b.post,b.patch,b.delete{display:inline-block;min-width:3.4rem;font-size:.7667rem;font-weight:700;letter-spacing:.03em}
.route b{min-width:0;margin-right:.35rem}
.get{color:var(--get)}.post{color:var(--post)}.patch{color:var(--patch)}.delete{color:var(--delete)}
article .endpoints{margin:1.25rem 0 0;padding:.6rem .85rem;list-style:none;background:var(--raised);border:1px solid var(--line);border-radius:9px}
.endpoints a{display:flex;align-items:baseline;gap:.5rem;padding:.1rem 0;text-decoration:none}
.endpoints code{padding:0;color:var(--text);background:none;border:0}
article .fields{margin:0 0 1rem;padding:0;list-style:none;border-top:1px solid var(--line)}
.fields>li{margin:0;padding:.5rem 0;border-bottom:1px solid var(--line)}
.fields p{margin:0}
.fields p+p{margin-top:.15rem}
.fields code{padding:0;background:none;border:0;font-weight:600}
.fields span{color:var(--soft);font-size:.8rem}
.fields em{margin-left:.3rem;color:var(--delete);font-size:.7667rem;font-style:normal;font-weight:600}
.facts,.fields .facts{color:var(--soft);font-size:.8667rem}
.facts code{font-weight:400;color:var(--text)}
.fields details{margin-top:.4rem}
.fields summary,.entry summary{display:inline-block;padding:.1rem .6rem;font-size:.8rem;font-weight:600;color:var(--accent);border:1px solid var(--line);border-radius:99px;cursor:pointer}
.entry details{margin-bottom:1rem}
.entry summary{margin-bottom:.6rem}
.fields summary small{font-weight:400;color:var(--soft)}
.fields .fields{margin:.5rem 0 .25rem;padding:0 .85rem;border:1px solid var(--line);border-radius:8px}
.fields .fields>li:last-child{border-bottom:0}
.codes{line-height:2}
figure{margin:0 0 1.25rem}
figure svg{display:block;width:100%;height:auto}
svg .axis{stroke:var(--line);stroke-width:1}
svg .curve{fill:none;stroke:var(--accent);stroke-width:2}
svg .dot{fill:var(--accent)}
svg text{fill:var(--soft);font:11px system-ui,sans-serif}
figcaption{margin-top:.35rem;font-size:.8667rem;color:var(--soft)}
.entry{padding-top:1.75rem;margin-top:1.75rem;border-top:1px solid var(--line)}
.entry h2,.entry h3{margin-top:0}
article .hits{padding:0;list-style:none}
.hits li{margin:0;padding:.9rem 0;border-bottom:1px solid var(--line)}
.hits a{font-weight:600;font-size:1.0333rem;text-decoration:none}
.hits p{margin:.15rem 0 0;color:var(--soft);font-size:.9333rem}
.hits .where{font-size:.8rem}
mark{padding:0 .1em;color:var(--text);background:var(--mark);border-radius:2px}
.turn{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin-top:3rem;padding-top:1.5rem;border-top:1px solid var(--line)}
.turn a{display:block;padding:.7rem .9rem;border:1px solid var(--line);border-radius:9px;font-weight:600;line-height:1.4}
.turn small{display:block;color:var(--soft);font-weight:400}
.turn .next{grid-column:2;text-align:right}
footer{padding:1.25rem 2rem 2rem;border-top:1px solid var(--line);color:var(--soft);font-size:.8667rem}
footer p{margin:0}
@media (max-width:30rem){header .name span{display:none}td{min-width:7.5rem}td.number,.stacked td{min-width:0}thead th{white-space:normal}}
@media (min-width:74rem){.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 2.5rem}.pair>div:last-child{position:sticky;top:5rem;align-self:start;max-height:calc(100vh - 6rem);overflow-y:auto;scrollbar-width:thin}}
@media (max-width:73.99rem){.page{grid-template-columns:minmax(0,46rem)}.page.wide{grid-template-columns:minmax(0,52rem)}.page{gap:0}.page>*,.page>article,.toc{grid-column:1;grid-row:auto}.jump{display:block;margin:0 0 1.25rem;font-size:.9333rem}.jump summary{padding:.4rem .85rem;font-weight:600;background:var(--raised);border:1px solid var(--line);border-radius:9px;cursor:pointer}.jump:not([open])+.toc,.toc h2{display:none}.toc>div{position:static;max-height:none;margin:-.5rem 0 1.5rem}.toc a{padding:.4rem 0 .4rem .75rem}}
@media (max-width:40rem){.stacked thead{display:none}.stacked,.stacked tbody,.stacked tr,.stacked td:last-child{display:block}.stacked tr{padding:.6rem .85rem;border-bottom:1px solid var(--line)}.stacked tr:last-child{border:0}.stacked tr>*{display:inline-block;padding:0 .5rem 0 0;border:0}.stacked td:last-child{padding-top:.25rem}}
@media (max-width:56rem){html{font-size:16px;scroll-padding-top:1rem}header{position:static;flex-wrap:wrap;height:auto;padding:.75rem 1rem}header .name{flex:1}header form{order:3;flex:1 0 100%;max-width:none}.frame{display:block}.side{border:0;border-bottom:1px solid var(--line)}.menu summary{display:flex;align-items:center;gap:.5rem;min-height:44px;padding:0 1rem;font-weight:600;font-size:.9333rem;cursor:pointer}.menu:not([open])+nav.site{display:none}nav.site{position:static;max-height:none;padding:.25rem .6rem 1.25rem}nav.site a{padding:.5rem .6rem}.page{padding:1.5rem 1rem 2rem}h1{font-size:1.75rem}.find input,.find{min-height:2.75rem}.turn{grid-template-columns:1fr}.turn .next{grid-column:1}footer{padding:1rem}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:smooth}}
@media print{:root{color-scheme:light;--back:#fff;--text:#000;--soft:#333;--line:#bbb;--code:#fff;--code-text:#000;--raised:#fff}header,.side,.toc,.jump,.turn,footer,.copy,.sample fieldset,.skip{display:none}.frame,.page,.page.wide,.pair{display:block;padding:0}.pair>div:last-child{max-height:none}details::details-content{content-visibility:visible;block-size:auto}pre{white-space:pre-wrap}.sample,tr,.fields>li{break-inside:avoid}html{font-size:11pt}}
`
