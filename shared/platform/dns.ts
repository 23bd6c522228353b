import { Resolver } from 'node:dns/promises'

/** The name servers to ask, and how long to wait for their responses. */
export interface NameServers {
  /** IP addresses, with a port if it is not 53. Absent: the name servers of the machine are asked. */
  readonly servers?: readonly string[]
  readonly answer_ms: number
}

/**
 * The IP addresses of a host name from the name servers. Throws if there are none. Look-ups through the operating
 * system share a few threads, so a name server that never responds would delay other look-ups. This look-up uses no
 * such thread. IPv4 and IPv6 are looked up separately, so a failure of one does not hide the other.
 */
export async function resolveHost(host: string, asked: NameServers = { answer_ms: 3_000 }): Promise<readonly string[]> {
  const resolver = new Resolver({ timeout: 1_000, tries: 2 })
  if (asked.servers) resolver.setServers(asked.servers)
  const timer = setTimeout(() => resolver.cancel(), asked.answer_ms)
  const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
  clearTimeout(timer)
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  if (addresses.length === 0) throw new Error('the host name has no address')
  return addresses
}
