/**
 * The part of the page's script that checks a field when the customer leaves it, and all fields of a form before it is
 * sent. A message stands beside its field until the value is right. A field in which the customer has typed nothing is
 * checked only before sending.
 */
export const card_faults_script = `
const touched = new WeakSet()
const inputOf = (field) => field.querySelector('input')
function valueOf(field) {
  const input = inputOf(field)
  const chosen = input.type === 'radio' ? field.querySelector(':checked') : input
  return chosen ? tidied(input.name, chosen.value) : ''
}
function faultIn(field) {
  const { name, form, required } = inputOf(field)
  const value = valueOf(field)
  if (!value) return required || field.hasAttribute('aria-required') ? 'missing' : ''
  const { number } = form.elements
  return isInvalid(name, value, number ? digits(number.value) : '') ? 'invalid' : ''
}
function showFault(field, text) {
  const input = inputOf(field)
  const holder = input.type === 'radio' ? field : input
  const hint = document.getElementById(input.id + '-hint')
  let note = document.getElementById(input.id + '-fault')
  if (text && !note) {
    note = document.createElement('p')
    note.className = 'fault'
    note.id = input.id + '-fault'
    field.append(note)
  }
  if (text) note.textContent = text
  else if (note) note.remove()
  const describedBy = [hint && hint.id, text && note.id].filter(Boolean).join(' ')
  const attributes = { 'aria-invalid': text && 'true', 'aria-describedby': describedBy }
  for (const [name, value] of Object.entries(attributes))
    value ? holder.setAttribute(name, value) : holder.removeAttribute(name)
  const link = !text && document.querySelector('.alert a[href="#' + input.id + '"]')
  if (!link) return
  const alert = link.closest('.alert')
  link.closest('li').remove()
  if (!alert.querySelector('li')) alert.remove()
}
const hasFault = (field) => field.querySelector('.fault') !== null
function check(field) {
  const fault = faultIn(field)
  const { name } = inputOf(field)
  showFault(field, fault && (texts[fault][name] || texts.missing[name]))
  return fault
}
function codeFieldOf({ form, name }) {
  const code = name === 'number' && form.elements.verification_value
  return code ? code.closest('.field') : null
}
function leave(field) {
  const input = inputOf(field)
  if (/^(text|email|tel)$/.test(input.type) && !typing[input.name]) input.value = tidied(input.name, input.value)
  for (const each of [field, codeFieldOf(input)]) {
    // The customer can already type into the next field, because this runs after the focus has moved.
    if (!each || each.contains(document.activeElement) || !(touched.has(each) || hasFault(each))) continue
    const hadFault = hasFault(each)
    if (check(each) && !hadFault) say(each.querySelector('.fault').textContent)
  }
}
function typed(event) {
  const input = event.target
  const field = input.closest('.field')
  if (!field || event.isComposing) return
  touched.add(field)
  if (typing[input.name]) typing[input.name](input, event)
  for (const each of [field, codeFieldOf(input)]) if (each && hasFault(each) && !faultIn(each)) showFault(each, '')
}
document.addEventListener('input', typed)
document.addEventListener('compositionend', typed)
let pointers = 0
addEventListener('pointerdown', () => { pointers = 1 }, true)
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => { pointers = 0 }, true)
function later(act) {
  // A message that appears while a pointer is down would move the button away from under it.
  if (pointers) addEventListener('pointerup', () => setTimeout(act), { once: true })
  else setTimeout(act)
}
document.addEventListener('focusout', ({ target, relatedTarget }) => {
  const field = target.closest('.field')
  if (field && !field.contains(relatedTarget)) later(() => leave(field))
})
document.addEventListener('change', ({ target }) => {
  // A browser that fills in the form leaves the focus where it is.
  const field = target.closest('.field')
  if (field && !field.contains(document.activeElement)) later(() => leave(field))
})
`
