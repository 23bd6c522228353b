import { PlatformUnavailable } from '#shared/platform/ports.ts'

/**
 * Returns the sentence that an error states, without its stack trace. A failed call to AWS becomes the cause, in the
 * words of AWS, and what the operator can do about it.
 */
export function sentenceOfError(error: unknown): string {
  const call = failedCall(error)
  const remedy = call && remedies.find(({ pattern }) => pattern.test(`${call.name}: ${call.message}`))
  if (remedy) return `${remedy.problem} (${detailOf(call)}). ${remedy.remedy}`
  if (error instanceof PlatformUnavailable) return `The platform does not respond (${detailOf(call!)}). Try again.`
  const { name, message } = Object(error) as Partial<Error>
  return firstLine(message) || String(name)
}

/** The error of the AWS SDK: its name, or the code of a network error, and its message. */
interface FailedCall {
  readonly name: string
  readonly message: string
}

/** Returns the SDK's error behind an error; undefined for an error that is not about a call to AWS. */
function failedCall(error: unknown): FailedCall | undefined {
  const cause = error instanceof PlatformUnavailable ? (error.cause ?? error) : error
  const { name = '', message = '', code, $fault } = Object(cause) as Partial<Error> & { code?: string; $fault?: string }
  const is_call = error instanceof PlatformUnavailable || $fault !== undefined || isOfClient(name, message)
  return is_call ? { name: code ?? name, message } : undefined
}

/** Whether the SDK's client throws this error itself, before it sends anything. */
const isOfClient = (name: string, message: string): boolean =>
  /^(CredentialsProviderError|TokenProviderError)$/.test(name) || message === 'Region is missing'

interface Remedy {
  /** Matches the name and the message of the SDK's error. */
  readonly pattern: RegExp
  readonly problem: string
  readonly remedy: string
}

const SIGN_IN = 'Sign in again (aws sso login), or set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.'

/** What the operator can do about failed calls. The first match counts. */
const remedies: readonly Remedy[] = [
  {
    pattern: /Region is missing/,
    problem: 'The AWS region is missing',
    remedy: 'Set AWS_REGION, or set AWS_PROFILE to a profile with a region.',
  },
  { pattern: /^ExpiredToken|^RequestExpired|expired/i, problem: 'The AWS credentials have expired', remedy: SIGN_IN },
  {
    pattern: /^(CredentialsProviderError|TokenProviderError)/,
    problem: 'No valid AWS credentials were found',
    remedy: SIGN_IN,
  },
  {
    pattern: /^(UnrecognizedClientException|InvalidClientTokenId|InvalidAccessKeyId|MissingAuthenticationToken)/,
    problem: 'AWS does not accept the credentials',
    remedy: SIGN_IN,
  },
  {
    pattern: /^(InvalidSignature|SignatureDoesNotMatch|IncompleteSignature)/,
    problem: 'AWS does not accept the signature of the request',
    remedy: 'Check AWS_SECRET_ACCESS_KEY and the clock of this machine.',
  },
  {
    pattern: /^(AccessDenied|UnauthorizedOperation|AuthorizationError)/,
    problem: 'AWS denies access',
    remedy: 'Use credentials that may do this in the AWS account of the stage.',
  },
  {
    pattern: /QueueDoesNotExist|NonExistentQueue|^NoSuch(Bucket|Key)|^(ResourceNotFound|TableNotFound)Exception/,
    problem: 'AWS does not find a queue, a table or a file of the stage',
    remedy: 'Check the names in the command, the region and the AWS account.',
  },
  {
    pattern: /^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT)/,
    problem: 'AWS cannot be reached',
    remedy: 'Check the network and the region.',
  },
]

/** The name and the message of the SDK's error, without a full stop at the end. */
const detailOf = ({ name, message }: FailedCall): string =>
  [name, firstLine(message)?.replace(/\.$/, '')].filter((part) => part && part !== 'Error').join(': ') || 'Error'

const firstLine = (text: string | undefined): string | undefined => text?.split('\n')[0]
