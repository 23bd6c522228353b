import type { GenericSchema } from 'valibot'
import { Refusal } from '#shared/domain/errors.ts'
import { parse } from '#shared/resources/parse.ts'

/** The refusal that a request meets; a request that is taken fails the test. */
export function refusalOf(schema: GenericSchema, input: unknown): Refusal {
  try {
    parse(schema, input)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error('the request was taken')
}
