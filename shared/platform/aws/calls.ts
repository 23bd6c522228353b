import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { PlatformUnavailable } from '../ports.ts'

/**
 * What every SDK client is made with: a call that hangs is given up, and tried again, well within the time that a
 * function has. `throwOnRequestTimeout` makes the SDK do so; by itself it would only warn.
 */
export const client_options = {
  maxAttempts: 3,
  requestHandler: {
    connectionTimeout: 1000,
    requestTimeout: 2000,
    socketTimeout: 2000,
    throwOnRequestTimeout: true,
  },
} satisfies DynamoDBClientConfig

/** How often a call is made, at most, that comes back undone or half done. */
export const TRIES_MAX = 4

/** How long to wait before the next try, in milliseconds: up to 50, 100, 200; random, so that who met meets no more. */
export function backoffMs(tries: number): number {
  return Math.random() * 25 * 2 ** tries
}

/** Whether a code, though its status blames the caller, says that the service is busy. */
export function isBusy(code: string | undefined): boolean {
  return /Throttl|ThroughputExceeded|LimitExceeded|TransactionInProgress/.test(code ?? '')
}

/**
 * What to throw for a failed call. An answer that blames the caller is a defect of ours and stays what it is. All else
 * becomes `PlatformUnavailable`: it was not done, or nobody knows.
 */
export function failureOf(error: unknown): unknown {
  const { $fault, name } = Object(error) as { $fault?: string; name?: string }
  if ($fault === 'client' && !isBusy(name)) return error
  return new PlatformUnavailable(name, { cause: error })
}

/** The answer to a call; throws what `failureOf` makes of its error. */
export async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw failureOf(error)
  }
}
