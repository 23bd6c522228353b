import dns from 'node:dns'

/*
 * Resolves every name below `localhost` to this machine (RFC 6761), for a program that loads this file first. Browsers and
 * curl do so by themselves. Node asks the C library, which often does not. This is JavaScript because npm loads it too.
 */

const { lookup } = dns
dns.lookup = (hostname, ...rest) => lookup(hostname.endsWith('.localhost') ? 'localhost' : hostname, ...rest)
