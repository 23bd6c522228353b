/** A warning of redocly that is accepted, with its reason. `pointer` is the place in the document. */
export interface AcceptedWarning {
  readonly rule: string
  readonly pointer: string
  readonly reason: string
}

/** The warnings of `redocly lint` with its recommended rules that remain, each with its reason. */
export const accepted_warnings: readonly AcceptedWarning[] = [
  {
    rule: 'operation-2xx-response',
    pointer: '#/paths/~1files~1{id}~1content/get/responses',
    reason: 'The content of a file is a redirect to a link, so success is 302.',
  },
  {
    rule: 'no-unused-components',
    pointer: '#/components/responses/MethodNotAllowed',
    reason: 'Any path answers 405 to a method that it does not have. No operation exists that could refer to it.',
  },
]
