/** The script of the documentation: copy buttons, and the language of samples that the reader chose last. */
export const script = `
(() => {
const all = (selector, from = document) => from.querySelectorAll(selector)
const KEY = 'docs-language'
const kept = { get: () => { try { return localStorage.getItem(KEY) } catch {} }, set: (id) => { try { localStorage.setItem(KEY, id) } catch {} } }
const choose = (id) => { for (const input of all('.sample input')) if (input.value === id) input.checked = true }
if (kept.get()) choose(kept.get())
addEventListener('change', ({ target }) => {
  if (!target.matches('.sample input')) return
  const top = target.getBoundingClientRect().top
  choose(target.value)
  scrollBy(0, target.getBoundingClientRect().top - top)
  kept.set(target.value)
})
for (const sample of navigator.clipboard ? all('.sample') : []) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = document.body.dataset.copy
  button.addEventListener('click', async () => {
    const shown = [...all('pre', sample)].find((pre) => pre.offsetParent)
    await navigator.clipboard.writeText(shown.textContent)
    button.textContent = document.body.dataset.copied
    setTimeout(() => { button.textContent = document.body.dataset.copy }, 2000)
  })
  sample.append(button)
}
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input,textarea')) return
  event.preventDefault()
  document.querySelector('header input').focus()
})
const open = () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
  for (let at = target; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true
}
addEventListener('hashchange', open)
open()
})()
`
