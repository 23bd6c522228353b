/**
 * The part of the page's script that sends a payment form by `fetch`. After a decline or an invalid field, the page
 * takes over the content of the response and keeps everything that the customer typed. After a success, the browser goes
 * on to the page of the response. While a response is awaited, the page sends nothing else. A browser that cannot send it
 * by `fetch` sends the form by itself.
 */
export const send_script = `
const ANSWER_TIMEOUT_MS = 45000
const main = () => document.querySelector('main')
const inputsOf = (root) => [...root.querySelectorAll('form input')]
const keyOf = ({ form, name, type, value }) => [form.elements.type?.value, name, type === 'radio' && value].join()
// The nonce of another response does not count here, so the browser would report a style sheet as a violation.
const pageOf = (text) => new DOMParser().parseFromString(text.replace(/<(style).*?<.\\1>/gs, ''), 'text/html')
// A page of another sender, such as that of a proxy, has no such attribute.
const ownMain = (page) => page.querySelector('[data-processing] main')
const asksToPay = (page) => page.querySelector('form [name=type]')
let button = null
let place = null
let label = ''
let isWarned = false
let isPlain = !(window.fetch && window.AbortController && window.DOMParser)
let tries = triesBefore
function busy(pressed) {
  if (button) button.textContent = label
  for (const each of main().querySelectorAll('form button'))
    pressed ? each.setAttribute('aria-disabled', 'true') : each.removeAttribute('aria-disabled')
  button = pressed
  if (!pressed) return
  place = pressed
  label = pressed.textContent
  pressed.textContent = document.body.dataset.processing
  say(pressed.textContent)
}
function clearAlerts() {
  for (const alert of main().querySelectorAll('.alert')) alert.remove()
}
function notify({ title, text }) {
  clearAlerts()
  const alert = document.createElement('div')
  alert.className = 'alert'
  alert.setAttribute('role', 'alert')
  const heading = document.createElement('h2')
  const sentence = document.createElement('p')
  heading.textContent = title
  sentence.textContent = text
  alert.append(heading, sentence)
  place.before(alert)
}
function begin() {
  for (const note of main().querySelectorAll('[data-retype]')) note.remove()
  for (const input of main().querySelectorAll('[name=number]')) showBrand(input)
  for (const form of main().querySelectorAll('form')) {
    const texts = [...form.querySelectorAll('.field input:not([type=radio])')]
    for (const input of texts) input.enterKeyHint = input === texts[texts.length - 1] ? 'go' : 'next'
  }
}
function takeOver(page) {
  const next = page.querySelector('main')
  const kept = new Map(inputsOf(main()).map((input) => [keyOf(input), input]))
  const alert = next.querySelector('.alert')
  busy(null)
  document.title = page.title
  main().replaceWith(next)
  for (const input of inputsOf(next)) {
    const old = kept.get(keyOf(input))
    if (!old) continue
    if (input.type === 'radio') input.checked = old.checked
    else input.value = old.value
  }
  if (alert) tries = Number(alert.dataset.tries)
  begin()
  focusOn(alert)
}
function focusOn(alert) {
  const target = main().querySelector('input[aria-invalid], [aria-invalid] input') || alert
  if (target) target.focus()
}
function goTo(url) {
  // The page of a wallet is a new entry in the history, so that the customer can come back and choose another method.
  if (new URL(url).pathname === location.pathname) location.replace(url)
  else location.assign(url)
}
function settle(answer, page) {
  const { status } = answer
  const next = ownMain(page)
  const sentence = next && next.querySelector('h1 + p')
  if (answer.ok && answer.redirected) return goTo(answer.url)
  if (next && asksToPay(page) && (status === 402 || status === 422)) return takeOver(page)
  if (status === 409 || status === 429 || status === 503) return awaitOutcome(notices.busy, answer)
  if (!sentence || answer.ok || status >= 500) return awaitOutcome(notices.unknown, answer)
  busy(null)
  notify({ title: next.querySelector('h1').textContent, text: sentence.textContent })
}
async function ask(url, options) {
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), ANSWER_TIMEOUT_MS)
  try {
    const answer = await fetch(url, { ...options, signal: stop.signal })
    return [answer, await answer.text()]
  } finally {
    clearTimeout(timer)
  }
}
async function send(form, pressed) {
  if (!navigator.onLine && !isWarned) {
    // Some systems report no connection although they have one, so a second press is sent.
    isWarned = true
    place = pressed
    return notify(notices.offline)
  }
  isWarned = false
  busy(pressed)
  const body = new URLSearchParams(new FormData(form))
  let answer, text
  try {
    [answer, text] = await ask(form.action, { method: 'POST', body })
  } catch {
    return awaitOutcome(notices.unknown)
  }
  settle(answer, pageOf(text))
}
document.addEventListener('submit', (event) => {
  const form = event.target
  const pays = form.elements.type !== undefined
  if (!pays && !button) return
  if (button) return event.preventDefault()
  clearAlerts()
  const [faulty] = [...form.querySelectorAll('.field')].filter(check)
  if (!faulty && isPlain) return
  event.preventDefault()
  if (faulty) inputOf(faulty).focus()
  else send(form, event.submitter || form.querySelector('button'))
}, true)
`
