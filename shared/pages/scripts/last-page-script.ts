/** Shows the button that prints the page. */
export const print_script = `
;(() => {
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
})()
`

/** Opens the page again after three seconds, to look for the outcome of a payment. */
export const reload_script = `
;(() => {
const again = document.querySelector('[data-reload]')
if (again) setTimeout(() => location.replace(again.href), 3000)
})()
`
