/**
 * The part of the page's script that formats a card's number, expiry and code while the customer types or pastes them,
 * and shows the brand of the card. A screen reader announces the brand through `say`.
 */
export const card_typing_script = `
function write(input, text) {
  if (input.value === text) return
  const before = digits(input.value.slice(0, input.selectionStart)).length
  const atEnd = input.selectionStart === input.value.length
  input.value = text
  let place = atEnd ? text.length : 0
  for (let seen = 0; !atEnd && place < text.length && seen < before; place++) if (/\\d/.test(text[place])) seen++
  if (document.activeElement === input) input.setSelectionRange(place, place)
}
function showBrand(input) {
  const { brand, name = '', codeLength = 3 } = brandOf(digits(input.value))
  const [svg, label] = input.parentElement.querySelector('[data-brand]').children
  if (label.textContent === name) return
  const mark = '#mark-' + brand
  const hasMark = document.querySelector(mark) !== null
  svg.toggleAttribute('hidden', !hasMark)
  if (hasMark) svg.firstElementChild.setAttribute('href', mark)
  label.textContent = name
  label.className = hasMark ? 'unseen' : ''
  input.form.elements.verification_value.placeholder = '1234'.slice(0, codeLength)
  if (name) say(name)
}
const typing = {
  number(input) {
    const number = digits(input.value).slice(0, 19)
    const groups = /^3[47]/.test(number) ? /^(\\d{1,4})(\\d{1,6})?(\\d{1,5})?(\\d*)$/ : /(\\d{1,4})/
    write(input, number.split(groups).filter(Boolean).join(' '))
    showBrand(input)
  },
  expiry(input, event) {
    const deleting = (event.inputType || '').startsWith('delete')
    let text = digits(input.value)
    if (/^[2-9]/.test(text) || /^1\\s*\\//.test(input.value.normalize('NFKC'))) text = '0' + text
    if (/^\\d\\d20\\d\\d$/.test(text)) text = text.slice(0, 2) + text.slice(4)
    if (text.length > 4 && !/^\\d\\d20/.test(text)) text = text.slice(0, 4)
    const year = text.slice(2, 6)
    write(input, text.length < 2 || (deleting && !year) ? text : text.slice(0, 2) + ' / ' + year)
  },
  verification_value(input) {
    write(input, digits(input.value).slice(0, 4))
  },
}
`
