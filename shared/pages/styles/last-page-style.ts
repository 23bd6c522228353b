/** The rules that only the pages at the end of a payment need. */
export const last_page_style = `
.receipt bdi{min-width:0}
.sums dd{text-wrap:balance}
.sums time{word-break:keep-all}
.sums+.hint{margin-top:.75rem}
.remaining{display:block;color:var(--soft);font-size:.875rem}
.panel>.deadline{display:flex;align-items:center;min-height:44px;margin:.25rem 0 -.5rem}
.codes div:has(.copy){display:grid;grid-template-columns:1fr auto;align-items:center;gap:0 .75rem}
.codes div:has(.copy) dt{grid-column:1/-1}
.codes .copy{font-size:1rem;user-select:auto}
.copy .button{min-height:44px;padding:.25rem .875rem;font-size:.875rem}
.copied::before{content:"✓";margin-right:.35rem}
.phone{display:none}
.phone p{margin:0;font-size:.875rem;color:var(--soft)}
.qr{flex:none;border-radius:8px}
.updates{display:flex;flex-wrap:wrap;align-items:center;gap:0 .75rem;margin:1.25rem 0 0;font-size:.875rem;color:var(--soft)}
.updates a{display:flex;align-items:center;min-height:44px}
@media (min-width:48rem){.phone{display:flex;align-items:center;gap:1.25rem}}
@media print{.lock,.phone,.copy,.remaining,.deadline,.updates{display:none!important}.notice{padding:0;border:0;text-align:left}.notice::before{display:none}.test{display:block}}
`
