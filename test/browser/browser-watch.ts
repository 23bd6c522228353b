import type { CDPSession, Page } from 'puppeteer-core'

const isSamePath = (url = '', other: string) => url.split('?')[0] === other.split('?')[0]

/** Records what a page does unseen: its requests, and its problems. */
export async function watched(page: Page, devtools: CDPSession) {
  const complaints: string[] = []
  const requests: { url: string; method: string }[] = []
  page.on('request', (request) => requests.push({ url: request.url(), method: request.method() }))
  page.on('pageerror', (error) => complaints.push(`script: ${error}`))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    dialog.dismiss()
  })
  page.on('console', (message) => {
    // A page that shows errors of a form has a status over 400. The browser logs that as a failed resource, also if the
    // script of the page has sent the form.
    if (message.text().startsWith('Failed to load resource') && isSamePath(message.location().url, page.url())) return
    if (['error', 'warn'].includes(message.type())) complaints.push(`console: ${message.text()}`)
  })
  devtools.on('Audits.issueAdded', ({ issue }) => {
    // These pages redirect customers back and forth by design.
    if (issue.code === 'BounceTrackingIssue') return
    complaints.push(`${issue.code}: ${JSON.stringify(issue.details).slice(0, 500)}`)
  })
  await devtools.send('Audits.enable')
  return { complaints, requests }
}
