/** The text at the beginning of the API description, as Markdown. */
export const introduction = `\
The API of a payment service. Every path begins with \`/api/v1\`.

## Authentication

Every request uses HTTP Basic authentication: the API key is the user name, and the password is empty. A secret key
(\`sk_test_…\`, \`sk_live_…\`) belongs on your server. A publishable key (\`pk_test_…\`, \`pk_live_…\`) may be used in a browser,
for the endpoints that list it. A key belongs to one merchant in one mode. Test mode moves no money.

## Requests

Bodies are JSON or forms, with the same parameters. In a form, brackets name nested parameters:
\`payment_details[type]=credit_card\`, \`webhooks[0][url]=https://…\`, \`event_list[]=ping\`. Files are sent as
\`multipart/form-data\`. Values are read leniently: a number or a boolean can be sent as text (\`"1000"\`, \`"true"\`), a
currency in small letters (\`jpy\`), and a language with its region (\`en-US\`). The schemas describe the canonical form.
Unknown parameters are ignored. In test mode, the header \`X-Service-Ignored-Parameters\` of the response names them. In a PATCH,
parameters that are left out stay unchanged.

Amounts are integers in the smallest unit of the currency, except the amounts of subscriptions. Times are ISO 8601 in UTC,
except in applications for live payments and in the customer of a subscription: these have the time and the offset of Japan.

## Errors

Every error response has the same body: \`error\` with a \`code\`, a \`message\`, the offending \`param\` and the \`request_id\`.
Decide by the code. A 402 is a decline. A 422 lists all faults in \`details.errors\`. A 504 means that the outcome of a payment
is unknown: read the payment that \`details.payment\` names, or repeat the request with the same \`Idempotency-Key\`. A method
that a path does not have is answered with 405, and the header \`Allow\` lists the methods of the path.

## Idempotency

Send an \`Idempotency-Key\` with every POST and PATCH. When the same request arrives again with the same key within 24 hours,
it gets the stored response with the header \`Idempotent-Replayed: true\`. Nothing is executed again.

## Lists

Lists are ordered from the newest to the oldest. \`page\` and \`per_page\` choose the page, \`start_time\` and \`end_time\` limit
the time of creation. The response has the \`total\` number of matching records and the number of the last page.

## Webhooks

Events are delivered by POST to your webhooks. Verify the signature before you trust a body. A delivery that is not answered
with 2xx is tried again, up to 25 times in 25 days, so an event can arrive more than once and out of order.

## Versions

The version is part of every path. New fields, events and optional parameters can appear within a version, so ignore what you
do not know. Endpoints that are marked as pre-release can change.

## Generated clients

Clients can be generated from this document, which is at \`/api/v1/openapi.json\`. \`/docs/reference#client\` shows how to do
it with \`openapi-typescript\`. The documentation of the API is at \`/docs\`.

The icons of payment methods are at \`/payment_methods/{type}.svg\` on the same host, outside \`/api/v1\`. They need no key.
`
