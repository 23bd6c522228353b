import { Resolver } from 'node:dns/promises'

/** Whom to ask, and how long to wait for what they say. */
export interface NameServers {
  /** IP addresses, each with a port where it is not 53; without, those that the machine asks. */
  readonly servers?: readonly string[]
  readonly answer_ms: number
}

/**
 * The IP addresses of a host name, as the name servers say. It takes none of the few threads that all look-ups through
 * the operating system share, so a name server that never answers holds up nobody else; and one that is silent about
 * one family of addresses does not hide the other.
 */
export async function resolve(host: string, asked: NameServers = { answer_ms: 3_000 }): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  if (asked.servers) resolver.setServers(asked.servers)
  const timer = setTimeout(() => resolver.cancel(), asked.answer_ms)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  clearTimeout(timer)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0) throw new Error('the host name has no address')
  return addresses
}
