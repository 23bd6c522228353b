const loopback_hosts: ReadonlySet<string> = new Set(['127.0.0.1', 'localhost', '[::1]'])

/**
 * Returns the address of the reader's local run. A local run that serves the page is this address. A deployed service
 * shows the address of a local run with the default port.
 */
export function localRun(base_url: string): string {
  const { origin, hostname } = new URL(base_url)
  return loopback_hosts.has(hostname) ? origin : 'http://127.0.0.1:3000'
}
