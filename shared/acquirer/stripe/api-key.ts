/** A secret or restricted API key of the provider. A publishable key is none. */
const SECRET = /^(?:sk|rk)_(?<mode>live|test)_\w+$/

/**
 * Returns whether an API key of the provider moves real money (`live`) or not (`test`). Returns undefined for a text
 * that is no secret or restricted API key.
 */
export function modeOfApiKey(api_key: string): 'live' | 'test' | undefined {
  const mode = SECRET.exec(api_key)?.groups?.mode
  return mode === 'live' || mode === 'test' ? mode : undefined
}
