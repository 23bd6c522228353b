/**
 * The script of every page as it is written: it sends a form only once. Pages contain its minified copy in
 * `minified-scripts.json`, and work without it.
 */
export const page_script_source = `
(() => {
addEventListener('submit', (event) => {
  const form = event.target
  if (event.defaultPrevented) return
  if (form.dataset.sent) return event.preventDefault()
  form.dataset.sent = '1'
  for (const button of form.querySelectorAll('button')) button.setAttribute('aria-disabled', 'true')
  const button = event.submitter
  if (!button) return
  button.dataset.label = button.textContent
  button.textContent = document.body.dataset.processing
})
addEventListener('pageshow', (event) => {
  if (!event.persisted) return
  for (const form of document.querySelectorAll('[data-sent]')) {
    delete form.dataset.sent
    for (const button of form.querySelectorAll('button')) {
      button.removeAttribute('aria-disabled')
      if (button.dataset.label) button.textContent = button.dataset.label
    }
  }
})
})()
`
