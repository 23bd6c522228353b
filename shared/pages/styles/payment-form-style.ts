/** The rules of payment forms and their alerts, in addition to those of every page. */
export const payment_form_style = `
.alert{margin:1rem 0 1.25rem;padding:.75rem 1rem;border-radius:10px;border:1px solid var(--bad);background:var(--bad-back)}
.alert h2{margin:0 0 .25rem;color:var(--bad)}
.alert p,.alert ul{margin:0}
.alert [data-retype]{margin-top:.5rem}
.alert:focus{outline-offset:0}
.alert ul{padding-left:1.25rem}
.alert a{display:inline-block;padding:.25rem 0;color:var(--bad)}
.fields{display:grid;grid-template-columns:1fr 1fr;gap:1rem;margin-bottom:1.25rem}
.field{grid-column:1/-1;min-width:0;margin:0;padding:0;border:0}
@media (min-width:22.5rem){.half{grid-column:auto}}
label,legend{display:block;padding:0;margin-bottom:.25rem;font-size:.875rem;font-weight:600}
.box{position:relative}
input:not([type=radio]){width:100%;min-height:48px;padding:.5rem .75rem;font:inherit;color:inherit;background:var(--panel);border:1px solid var(--edge);border-radius:9px}
input::placeholder{color:var(--soft);opacity:.85}
input:focus-visible{outline-offset:0;border-color:var(--accent)}
[aria-invalid] input,input[aria-invalid]{border-color:var(--bad);border-width:2px}
.brand{position:absolute;right:.75rem;top:50%;translate:0 -50%;padding-left:.5rem;font-size:.8125rem;font-weight:600;color:var(--soft);background:var(--panel)}
.brand svg{display:block}
.brand svg[hidden]{display:none}
form>.hint{margin:0 0 1rem;font-size:.875rem}
.fault{margin:.25rem 0 0;font-size:.875rem;font-weight:600;color:var(--bad)}
.options{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:.5rem}
.option{display:flex;align-items:center;gap:.5rem;min-height:48px;margin:0;padding:.25rem .75rem;font-weight:400;font-size:.9375rem;border:1px solid var(--edge);border-radius:9px;cursor:pointer}
[aria-invalid] .option{border-color:var(--bad)}
.option:has(:checked){border-color:var(--accent);box-shadow:inset 0 0 0 1px var(--accent)}
.option:focus-within{outline:3px solid var(--accent);outline-offset:1px}
.option input{flex:none;width:20px;height:20px;margin:0;accent-color:var(--accent);outline:0}
.link{min-height:44px;padding:.25rem .75rem;font:inherit;font-size:.9375rem;color:var(--soft);text-decoration:underline;background:none;border:0;cursor:pointer}
.cancel{text-align:center}
`
