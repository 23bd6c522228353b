import dns from 'node:dns'

/*
 * Every name below `localhost` is this machine (RFC 6761). Browsers and curl know that by themselves; the C library, which
 * Node asks, often does not. Loaded before a program, this file tells Node. It is plain JavaScript, since npm loads it too.
 */

const { lookup } = dns
dns.lookup = (hostname, ...rest) => lookup(hostname.endsWith('.localhost') ? 'localhost' : hostname, ...rest)
