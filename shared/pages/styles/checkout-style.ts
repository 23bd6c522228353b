/** The rules of the page on which a customer pays, in addition to those of every page. */
export const checkout_style = `
.order h1{margin:0 0 1rem;font-size:1rem;color:var(--soft)}
.due{display:block;font-size:2.25rem;line-height:1.25;color:var(--text);font-variant-numeric:tabular-nums}
.order h2{margin:0 0 .25rem;font-size:.875rem}
.items{margin:0;padding:0;list-style:none}
.items li{display:flex;justify-content:space-between;gap:1rem;padding:.625rem 0}
.items li+li,.order .sums,.long summary{border-top:1px solid var(--line)}
.price{flex:none;max-width:50%;font-variant-numeric:tabular-nums}
.order .sums{margin:0 0 1.5rem;padding-top:.75rem}
.order .total dd{font-size:1.125rem}
.long h2{position:absolute;clip-path:inset(50%)}
summary{display:flex;flex-wrap:wrap;align-items:center;gap:.375rem .75rem;font-weight:600;list-style:none;cursor:pointer}
summary::-webkit-details-marker{display:none}
.long summary{min-height:48px;font-size:.9375rem}
.rest>summary,.long summary{justify-content:space-between}
.rest>summary::after,.long summary::after{content:"";width:9px;height:9px;margin:0 .25rem;border:solid var(--soft);border-width:0 2px 2px 0;transform:translateY(-2px) rotate(45deg)}
.rest[open]>summary::after,.long [open]>summary::after{transform:translateY(2px) rotate(225deg)}
.methods{overflow:hidden}
.methods summary{align-content:flex-start;min-height:60px;padding:.5rem 1.25rem}
.methods details+details,.rest>details{border-top:1px solid var(--line)}
.methods summary::before{content:"";flex:none;width:20px;height:20px;border:2px solid var(--edge);border-radius:50%}
.methods [open]>summary::before{border:6px solid var(--accent)}
.methods .rest>summary{align-content:center;color:var(--accent)}
.methods .rest>summary::before{content:none}
.methods summary:hover{background:var(--back)}
.methods summary:focus-visible{outline-offset:-3px;border-radius:14px}
.methods summary>:first-child{flex:1 1 8rem;min-width:0;padding:.5875rem 0}
.items small,summary small{display:block}
.methods form{padding:.5rem 1.25rem 1.5rem}
.methods .marks{margin:0 0 .5rem 2rem}
.marks{display:flex;flex-wrap:wrap;gap:4px}
.methods svg,.panel svg{flex:none;width:40px;height:25px;background:#fff;border:1px solid #d0d5dd;border-radius:4px}
.marks svg{width:34px;height:22px}
[viewBox] text{font:700 10px Arial,sans-serif;text-anchor:middle;dominant-baseline:central;transform:translate(24px,15px)}
[viewBox] .l{font-size:12px}
[viewBox] .s{font-size:7.5px}
.lines{fill:none;stroke:#475467;stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
.costs{margin:0 0 1rem;padding-top:.75rem;border-top:1px solid var(--line)}
.costs .total dd{font-size:1.25rem}
.panel h2{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.5rem;margin-bottom:1rem}
.note{padding:.625rem .875rem;font-size:.875rem;background:var(--test-back);color:var(--test);border-radius:9px}
`

/** The rules of the page with an order: on a wide screen, the order stays beside the form. */
export const beside_style = `
@media (min-width:60rem){
body{min-height:100vh;background:linear-gradient(90deg,var(--back) 50%,var(--panel) 50%)}
header,main,footer{max-width:68rem}
header{flex-wrap:nowrap;align-items:start;padding-top:1.25rem}
.merchant{flex:0 0 calc(50% - .5rem);min-height:44px;padding-right:2.5rem}
.lock{margin-right:auto;padding-left:2.5rem;white-space:nowrap}
main{display:grid;grid:auto 1fr/repeat(2,minmax(0,1fr));column-gap:6rem;align-items:start;padding-top:2rem}
.test,.pay{grid-column:2}
.order{grid-area:1/1/3}
.due{font-size:2.5rem}
@supports selector(::details-content){
.long h2{position:static;clip-path:none}
.long details{display:contents}
.long summary{display:none}
.long details::details-content{content-visibility:visible}
}
}
@media (min-width:60rem) and (min-height:36rem){
.order{position:sticky;top:1.5rem;display:flex;flex-direction:column;max-height:calc(100vh - 9rem)}
.order>*{flex:none}
@supports selector(::details-content){
.order .long{flex:0 1 auto;display:flex;flex-direction:column;min-height:6rem}
.long details::details-content{display:flex;flex-direction:column;min-height:0}
.long .items{padding-bottom:1.5rem;overflow:auto;mask:linear-gradient(#000 calc(100% - 2rem),#0000)}
}
}
`
