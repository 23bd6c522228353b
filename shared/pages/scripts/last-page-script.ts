/*
 * Each script begins with a semicolon, because it follows another script that can end without one.
 */

/**
 * Counts down the time that `remainingTime` has written, without an announcement. Under one hour, the text changes
 * every second, or every minute for customers who want less motion. The clock of the browser can be wrong, so the time
 * starts from the seconds that the page states. The clock can also be set while the page is open, so `watch_script`
 * corrects the seconds.
 */
export const countdown_script = `
;(() => {
const lang = document.documentElement.lang
const lengths = [['day', 86400], ['hour', 3600], ['minute', 60], ['second', 1]]
function spoken(seconds, moving) {
  const first = Math.max(lengths.findIndex(([, length]) => seconds >= length), 0)
  let rest = seconds
  const parts = lengths.slice(first, first === 2 && !moving ? 3 : first + 2).flatMap(([unit, length], at) => {
    const count = Math.floor(rest / length)
    rest %= length
    return at > 0 && count === 0 ? [] : [new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' }).format(count)]
  })
  return lang === 'ja' ? parts.join('').replaceAll(' ', '') : parts.join(' ')
}
const moving = !matchMedia('(prefers-reduced-motion:reduce)').matches
for (const shown of document.querySelectorAll('[data-countdown]')) {
  let end, timer
  const tick = () => {
    clearTimeout(timer)
    const left = Math.max(0, Math.ceil((end - Date.now()) / 1000))
    const text = left ? shown.dataset.left.replace('{}', spoken(left, moving)) : shown.dataset.over
    if (shown.textContent !== text) shown.textContent = text
    if (left) timer = setTimeout(tick, 1000 * (moving && left <= 3600 ? 1 : left % 60 || 60))
  }
  const start = () => {
    end = Date.now() + shown.dataset.countdown * 1000
    tick()
  }
  shown.addEventListener('correct', start)
  start()
}
})()
`

/** Shows the button that prints the page. */
export const print_script = `
;(() => {
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false
  button.addEventListener('click', () => print())
}
})()
`

/** Shows a button beside each number that copies the number. A live region announces what was copied. */
export const copy_script = `
;(() => {
if (!navigator.clipboard) return
const announced = document.querySelector('[data-announced]')
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false
  button.addEventListener('click', async () => {
    const value = button.closest('div').querySelector('dd')
    try {
      await navigator.clipboard.writeText(value.textContent)
    } catch {
      getSelection().selectAllChildren(value)
      return
    }
    announced.textContent = ''
    setTimeout(() => { announced.textContent = button.dataset.copied })
    button.classList.add('copied')
    setTimeout(() => button.classList.remove('copied'), 2000)
  })
}
})()
`

/**
 * Looks whether the state of the page has changed, and then loads the page again. The waits between two looks grow from
 * 3 seconds to a minute, and to 5 minutes after the first hour since the page became visible. No look is made while the
 * page is hidden, or after the seconds that the page states. A response that is no page of ours changes nothing. The
 * script finds the state as text, because a DOM parser would report the style of the page as a violation of the content
 * security policy.
 */
export const watch_script = `
;(() => {
const watched = document.querySelector('[data-state]')
if (!watched) return
const HOUR_MS = 3600000
const { state, seconds } = watched.dataset
// Setting the clock of the browser does not change this time.
const now = () => performance.now()
const end = seconds ? now() + seconds * 1000 : Infinity
for (const each of document.querySelectorAll('[data-updates]')) each.hidden = false
let began = now()
let wait = 3000
let timer
let is_looking = false
const rests = () => document.hidden || is_looking || now() > end
function plan() {
  clearTimeout(timer)
  if (rests()) return
  timer = setTimeout(look, wait)
  wait = Math.min(wait * 1.5, now() - began < HOUR_MS ? 60000 : HOUR_MS / 12)
}
const find = (pattern, text) => pattern.exec(text)?.[1]
function correct(left) {
  for (const shown of document.querySelectorAll('[data-countdown]')) {
    shown.dataset.countdown = left
    shown.dispatchEvent(new Event('correct'))
  }
}
async function look() {
  clearTimeout(timer)
  if (rests()) return
  is_looking = true
  const stop = new AbortController()
  const limit = setTimeout(() => stop.abort(), 20000)
  try {
    const answer = await fetch(location.href, { cache: 'no-store', signal: stop.signal })
    const text = answer.ok ? await answer.text() : ''
    const is_own = text.includes('<body data-processing=')
    if (is_own && find(/ data-state="(\\w+)"/, text) !== state) return location.reload()
    if (is_own) correct(find(/ data-countdown="(\\d+)"/, text))
  } catch {
  } finally {
    clearTimeout(limit)
  }
  is_looking = false
  plan()
}
function lookAgain() {
  began = now()
  wait = Math.min(wait, 60000)
  return look()
}
document.addEventListener('visibilitychange', lookAgain)
addEventListener('online', lookAgain)
addEventListener('pageshow', (event) => event.persisted && lookAgain())
plan()
})()
`
