import { asSent, rowsWithRequests } from '#test/fixtures/route-requests.ts'
import { type Case, cases } from './cases.ts'

type Row = ReturnType<typeof rowsWithRequests>[number]

/** At least one request of each served route: `cases`, and the first valid request of every other route. */
export function everyCase(): readonly Case[] {
  const known = new Set(cases.map(({ route }) => route))
  const others = rowsWithRequests().filter(({ route }) => !known.has(route))
  return [...cases, ...others.map(caseOf)]
}

const caseOf = ({ route, method, params, contents }: Row): Case => ({
  route,
  request: async (send) => ({
    params: await params?.((route, content) => send(route, asSent(content))),
    ...(method !== 'GET' && method !== 'DELETE' && asSent(contents[0])),
  }),
})
