import { Refusal } from '#shared/domain/errors.ts'
import { isOver } from '#shared/domain/secure-token.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { secure_token } from '#shared/resources/secure-token.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'

/**
 * Shows the 3-D Secure status of a secure token. An expired secure token is refused with `not_found`.
 * @refuses not_found
 */
export const handler = endpoint('GET /secure_tokens/:id', {
  returns: secure_token,
  async run({ params, work, now }) {
    const answer = await work.get(secureTokens, params.id)
    if (isOver(answer, now)) throw new Refusal('not_found')
    return { answer }
  },
})
