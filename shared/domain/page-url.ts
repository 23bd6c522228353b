/** The pages that customers open by a link. */
export type LinkedPage = 'sessions' | 'off_site' | 'secure_tokens' | 'instructions' | 'return'

/**
 * Returns the address of the hosted page of a record. The id in the path cannot be guessed and is the only credential.
 */
export const pageUrl = (
  { base_url, merchant }: { readonly base_url: string; readonly merchant: string },
  page: LinkedPage,
  id: string,
): string => `${base_url}/pages/${page}/${merchant}/${id}`

/** Returns the path of the icons of payment methods on this host, with the prefix of the stage. */
export const iconsPath = (addressed: { readonly base_url: string }): string => `${prefixOf(addressed)}/payment_methods`

/** Returns the path of the logo of an account on this host, with the prefix of the stage. */
export const logoPath = (
  addressed: { readonly base_url: string },
  { account, file }: { readonly account: string; readonly file: string },
): string => `${prefixOf(addressed)}/logos/${account}/${file}`

const prefixOf = ({ base_url }: { readonly base_url: string }): string => base_url.replace(/^https?:\/\/[^/]*/, '')
