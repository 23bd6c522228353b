/** The rules of every page, for phones and desktops, light and dark mode. */
export const style = `
:root{color-scheme:light dark;--back:#f4f5f8;--panel:#fff;--text:#1a1f2b;--soft:#566074;--line:#d5dae3;--edge:#7f8a9e;--accent:#2546d2;--over:#1b36ab;--on:#fff;--bad:#b3151f;--bad-back:#fdf0f0;--good:#0b6b3a;--test:#6a4500;--test-back:#fff3d6}
@media (prefers-color-scheme:dark){:root{--back:#11141b;--panel:#1b202a;--text:#eef1f6;--soft:#a9b3c4;--line:#343c4b;--edge:#77839a;--accent:#8fa8ff;--over:#b3c4ff;--on:#0d1330;--bad:#ff9c9c;--bad-back:#351b1f;--good:#6fdb9f;--test:#ffd98a;--test-back:#3a2e12}}
*,*::before,*::after{box-sizing:border-box}
html{font-size:100%;line-height:1.6;-webkit-text-size-adjust:100%}
:lang(ja){font-family:"Hiragino Sans","Yu Gothic UI",Meiryo,"Noto Sans JP","Noto Sans CJK JP",system-ui,sans-serif;word-break:auto-phrase}
:lang(ko){font-family:"Apple SD Gothic Neo","Malgun Gothic","Noto Sans KR","Noto Sans CJK KR",system-ui,sans-serif;word-break:keep-all}
:lang(en){font-family:system-ui,"Segoe UI",Roboto,"Noto Sans",sans-serif}
body{margin:0;background:var(--back);color:var(--text);overflow-wrap:anywhere}
header,main,footer{max-width:32rem;margin:0 auto;padding:0 1rem}
header{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:0 1rem;padding-top:.75rem}
header ul{display:flex;margin:0 -.5rem;padding:0;list-style:none}
.merchant{display:flex;flex:1 1 100%;align-items:center;gap:.75rem;min-width:0;margin:0;font-size:1.125rem;font-weight:700;line-height:1.35}
.lengthy{font-size:.875rem;font-weight:600}
.merchant img{flex:none;width:40px;height:40px;object-fit:contain}
.merchant bdi{min-width:0}
.lock{display:flex;min-height:44px;align-items:center;gap:.4rem;margin:0;font-size:.875rem;font-weight:600;color:var(--soft)}
nav{width:10.5rem}
nav a{display:flex;align-items:center;min-height:44px;padding:0 .5rem;font-size:.875rem;white-space:nowrap;color:var(--soft)}
nav a[aria-current]{color:var(--text);font-weight:600;text-decoration:none}
main{padding-top:1rem;padding-bottom:2rem}
footer{padding-bottom:2rem;font-size:.8125rem;color:var(--soft);text-align:center}
h1{margin:0 0 .25rem;font-size:1.625rem;line-height:1.3;text-wrap:balance}
h2{margin:0 0 .75rem;font-size:1rem;line-height:1.4}
p{margin:0 0 1rem}
a{color:var(--accent)}
small{font-size:.8125rem;font-weight:400;color:var(--soft)}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
.panel,.methods{margin:1rem 0 1.5rem;background:var(--panel);border:1px solid var(--line);border-radius:14px;box-shadow:0 1px 2px rgb(16 24 40/.06),0 8px 24px rgb(16 24 40/.05)}
.panel{padding:1.25rem}
.test{margin:0 0 1.25rem;padding:.75rem 1rem;border-radius:10px;background:var(--test-back);color:var(--test);font-size:.875rem}
.test strong{margin-right:.5rem}
dd{font-variant-numeric:tabular-nums}
dl{margin:0}
.sums div{display:flex;justify-content:space-between;gap:0 1rem;padding:.25rem 0}
.sums dt{flex:none;color:var(--soft)}
.sums dd{margin:0;text-align:right}
.sums .total{align-items:baseline}
.sums .total dt{color:var(--text);font-weight:600}
.total dd{font-size:1.625rem;font-weight:700;line-height:1.3}
.hint{margin:.25rem 0 0;text-wrap:balance;font-size:.8125rem;line-height:1.5;color:var(--soft)}
.button{display:flex;align-items:center;justify-content:center;width:100%;min-height:52px;padding:.5rem 1rem;font:inherit;font-weight:700;line-height:1.3;text-align:center;text-decoration:none;color:var(--on);background:var(--accent);border:1px solid var(--accent);border-radius:10px;cursor:pointer}
.button:hover{background:var(--over)}
.button[aria-disabled]{background:var(--over);cursor:progress}
[hidden]{display:none}
.unseen{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.panel>:last-child{margin-bottom:0}
`
