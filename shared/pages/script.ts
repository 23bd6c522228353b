/** The script that makes the pages more convenient. The pages work without it. */
export const script = `
(() => {
const all = (selector) => document.querySelectorAll(selector)
const brands = [
[/^4/, 'Visa'], [/^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, 'Mastercard'], [/^35(2[89]|[3-8])/, 'JCB'],
[/^3[47]/, 'American Express'], [/^3(0[0-5]|095|[689])/, 'Diners Club'], [/^(6011|64[4-9]|65)/, 'Discover'], [/^(62|81)/, 'UnionPay'],
]
const half = (text) => text.replace(/[\\uff10-\\uff19]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) - 0xfee0))
const digits = (text) => half(text).replace(/\\D/g, '')
function write(input, text) {
  const before = digits(input.value.slice(0, input.selectionStart)).length
  if (input.value === text) return
  const atEnd = input.selectionStart === input.value.length
  input.value = text
  let place = 0
  for (let seen = 0; place < text.length && seen < before; place++) if (/\\d/.test(text[place])) seen++
  if (document.activeElement === input) input.setSelectionRange(atEnd ? text.length : place, atEnd ? text.length : place)
}
for (const input of all('[autocomplete=cc-number]')) {
  const shown = input.parentElement.querySelector('[data-brand]')
  input.addEventListener('input', () => {
    const number = digits(input.value).slice(0, 19)
    const groups = /^3[47]/.test(number) ? /^(\\d{1,4})(\\d{1,6})?(\\d{1,5})?(\\d*)$/ : /(\\d{1,4})/
    write(input, number.split(groups).filter(Boolean).join(' '))
    const found = brands.find(([beginning]) => beginning.test(number))
    const name = found ? found[1] : ''
    if (shown.textContent !== name) shown.textContent = name
  })
}
for (const input of all('[autocomplete=cc-exp]')) {
  input.addEventListener('input', (event) => {
    const deleting = (event.inputType || '').startsWith('delete')
    let text = digits(input.value)
    if (/^[2-9]/.test(text) || /^1\\s*\\//.test(half(input.value))) text = '0' + text
    if (/^\\d\\d20\\d\\d$/.test(text)) text = text.slice(0, 2) + text.slice(4)
    if (text.length > 4 && !/^\\d\\d20/.test(text)) text = text.slice(0, 4)
    const year = text.slice(2, 6)
    write(input, text.length < 2 || (deleting && !year) ? text : text.slice(0, 2) + ' / ' + year)
  })
}
for (const form of all('form')) {
  form.addEventListener('submit', (event) => {
    if (form.dataset.sent) return event.preventDefault()
    form.dataset.sent = '1'
    const button = event.submitter
    setTimeout(() => {
      for (const other of form.querySelectorAll('button')) other.disabled = true
      if (button) {
        button.dataset.label = button.textContent
        button.textContent = document.body.dataset.processing
      }
    })
  })
}
addEventListener('pageshow', (event) => {
  if (!event.persisted) return
  for (const form of all('form')) delete form.dataset.sent
  for (const button of all('button')) {
    button.disabled = false
    if (button.dataset.label) button.textContent = button.dataset.label
  }
})
const faulty = document.querySelector('input[aria-invalid], [aria-invalid] input')
if (faulty) faulty.focus()
for (const button of all('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
const again = document.querySelector('[data-reload]')
if (again) setTimeout(() => location.replace(again.href), 3000)
})()
`
