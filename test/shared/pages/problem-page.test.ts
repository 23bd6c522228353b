import { describe, expect, test } from 'vitest'
import { problemPage } from '#shared/pages/problem-page.ts'
import { texts } from '#shared/pages/texts/texts.ts'

describe('problemPage', () => {
  const problems = Object.keys(texts.ko.problems) as (keyof typeof texts.ko.problems)[]

  test.each(problems)('shows %s in the language of the customer', (problem) => {
    const page = problemPage({ locale: 'ko', problem, request_id: 'req_1' })
    expect(page.title).toBe(texts.ko.problems[problem].title)
    expect(String(page.main)).toContain(texts.ko.problems[problem].text)
    expect(String(page.main)).toContain('<code>req_1</code>')
  })

  test.each(problems)('links from %s to the page again only if that can help', (problem) => {
    const again_url = 'https://pages.example/pages/sessions/m/ses_1?locale=ko'
    const main = String(problemPage({ locale: 'ko', problem, again_url }).main)
    expect(main.includes(`href="${again_url}"`)).toBe(['conflict', 'unavailable', 'internal'].includes(problem))
  })
})
