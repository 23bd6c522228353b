import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { PlatformUnavailable } from '../ports.ts'

/**
 * The options of every SDK client. A call that hangs is aborted and tried again well within the time limit of a
 * function. Without `throwOnRequestTimeout`, the SDK would only log a warning.
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

/** How often a call is tried at most if it is not executed, or executed only in part. */
export const TRIES_MAX = 4

/**
 * The wait before the next try, in milliseconds: up to 50, 100, 200 (exponential backoff). Full jitter spreads out
 * colliding retries.
 */
export function backoffMs(tries: number): number {
  return Math.random() * 25 * 2 ** tries
}

/** Whether an error code means that the AWS service is busy. The SDK reports such errors as client errors. */
export function isBusy(code: string | undefined): boolean {
  return /Throttl|ThroughputExceeded|LimitExceeded|TransactionInProgress/.test(code ?? '')
}

/**
 * The error to throw for a failed call. A client error that does not mean "busy" is a defect of this service and stays
 * unchanged. Any other error becomes `PlatformUnavailable`: the call was not executed, or its result is unknown.
 */
export function failureOf(error: unknown): unknown {
  const { $fault, name } = Object(error) as { $fault?: string; name?: string }
  if ($fault === 'client' && !isBusy(name)) return error
  return new PlatformUnavailable(name, { cause: error })
}

/** The response to a call. Throws the error that `failureOf` returns. */
export async function answered<T>(call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    throw failureOf(error)
  }
}
