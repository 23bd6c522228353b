import * as v from 'valibot'
import { error_codes } from '#shared/domain/errors.ts'
import { described, shown_url, shownId } from './answer-fields.ts'

const code = described(
  v.picklist(error_codes),
  'What went wrong, for your program. The page at `doc_url` explains the code.',
)

const message = described(v.string(), 'Sentence for developers that says what to do. It never contains a card number.')

/** One fault of a request. */
export const FaultResource = described(
  v.strictObject({
    code,
    message,
    param: described(v.string(), 'Path of the parameter with this fault: `payment_details[number]`.'),
  }),
  'One fault of a request.',
)

const details = v.pipe(
  v.strictObject({
    errors: v.exactOptional(
      described(
        v.array(FaultResource),
        'All faults of the request, at most 100. The first one is also in the error. An application that is not complete lists each missing field.',
      ),
    ),
    payment: v.exactOptional(
      described(shownId('payment'), 'Id of the payment that failed, or whose outcome is not known yet.'),
    ),
  }),
  v.minEntries(1),
)

/** The body of every response that is not a success. */
export const ErrorResource = described(
  v.strictObject({
    error: described(
      v.strictObject({
        code,
        message,
        param: described(
          v.nullable(v.string()),
          'Path of the parameter with the fault: `payment_details[number]`. The name of the header if a header has the fault. Null if neither a parameter nor a header has a fault.',
        ),
        details: described(
          v.nullable(details),
          'The faults of the request, the payment that the error is about, or both. Null if there is neither.',
        ),
        request_id: described(
          v.string(),
          'Id of the request, for questions to support. The header `X-Request-Id` has the same value, except in a replayed response.',
        ),
        doc_url: described(shown_url, 'Page of the documentation that explains the code.'),
      }),
      'The error.',
    ),
  }),
  'The body of every response that is not a success.',
)
export type ErrorResource = v.InferOutput<typeof ErrorResource>
