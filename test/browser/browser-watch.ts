import type { CDPSession, Page } from 'puppeteer-core'

/** Notes what a page does that its customer does not see: what it asks for, and what goes wrong. */
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
    // A page that says what is wrong with a form has a status over 400, which is no error of the page.
    if (message.text().startsWith('Failed to load resource') && message.location().url === page.url()) return
    if (['error', 'warn'].includes(message.type())) complaints.push(`console: ${message.text()}`)
  })
  devtools.on('Audits.issueAdded', ({ issue }) => {
    // To send customers on, there and back, is what these pages are for.
    if (issue.code === 'BounceTrackingIssue') return
    complaints.push(`${issue.code}: ${JSON.stringify(issue.details).slice(0, 500)}`)
  })
  await devtools.send('Audits.enable')
  return { complaints, requests }
}
