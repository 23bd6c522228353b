/**
 * The part of the page's script that finds out what became of a form whose response is missing. It opens the page of
 * the session again, when the browser is back online and at growing intervals while the page is visible. A session that
 * is over leads to its page. If the session is still unpaid, the customer can press the button again. The page then looks
 * three times more, because the form can reach the service late. If no check gets a response although the browser is
 * online, something prevents `fetch`, and the next press sends the form without it. The service makes one payment of a
 * session in any case.
 */
export const send_checks_script = `
const FIRST_WAIT_MS = 2000
const LONGEST_WAIT_MS = 60000
const LATE_LOOKS_MS = [5000, 15000, 40000]
const MISSES_MAX = 3
let wait = 0
let misses = 0
let timer = 0
let looking = false
function awaitOutcome(notice, answer) {
  notify(notice)
  misses = 0
  const seconds = answer && Number(answer.headers.get('retry-after'))
  wait = Math.min(Math.max(FIRST_WAIT_MS, 1000 * seconds || 0), LONGEST_WAIT_MS)
  timer = setTimeout(look, wait)
}
async function look() {
  clearTimeout(timer)
  if (looking || document.hidden || (button && !wait)) return
  looking = true
  let page = null
  try {
    const [{ status }, text] = await ask(location.href, { cache: 'no-store' })
    if (status >= 500 || status === 409 || status === 429) misses = -1
    else page = pageOf(text)
  } catch {
    // Without a connection, the next check follows as after a failed one.
  }
  looking = false
  if (page && ownMain(page)) return learn(page)
  if (!wait) return
  misses += 1
  if (misses >= MISSES_MAX && button && navigator.onLine) {
    isPlain = true
    busy(null)
    notify(notices.unreachable)
  }
  wait = Math.min(2 * wait, LONGEST_WAIT_MS)
  timer = setTimeout(look, wait)
}
function learn(page) {
  if (!asksToPay(page)) return location.replace(location.href.split('#')[0])
  if (!wait) return
  wait = 0
  isPlain = false
  const alert = page.querySelector('.alert[data-tries]')
  if (alert && Number(alert.dataset.tries) > tries) return takeOver(page)
  busy(null)
  notify(notices.unpaid)
  for (const late of LATE_LOOKS_MS) setTimeout(look, late)
}
addEventListener('online', () => { if (wait) look() })
document.addEventListener('visibilitychange', () => { if (wait) look() })
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return
  // The customer has come back, and the session may be over.
  if (!wait) busy(null)
  look()
})
`
