import { Resolver } from 'node:dns/promises'

/*
 * Makes every lookup of a host name fail in a process that loads this file first, so that no test depends on a network or
 * waits for one.
 */
const failLookup = async (): Promise<never> => {
  throw new Error('host names are not resolved in tests')
}
Object.assign(Resolver.prototype, { resolve4: failLookup, resolve6: failLookup })
