import type { Work } from './work.ts'

/** Where a customer finds our page about a record. Its id cannot be guessed, and nothing else is asked for. */
export const pageUrl = (
  { base_url, merchant }: Work,
  page: 'sessions' | 'off_site' | 'secure_tokens' | 'instructions',
  id: string,
): string => `${base_url}/pages/${page}/${merchant}/${id}`
