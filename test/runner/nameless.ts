import { Resolver } from 'node:dns/promises'

/*
 * Loaded into a process before the service: no host name has an address there, so that no test depends on a network or
 * waits for one.
 */
const nobody = async (): Promise<never> => {
  throw new Error('there are no names in tests')
}
Object.assign(Resolver.prototype, { resolve4: nobody, resolve6: nobody })
