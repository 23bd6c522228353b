import type { Sample } from '../sample.ts'

/** Sends a payment with three faults. */
export const invalid_payment: Sample = {
  shell: `curl {base_url}/payments -u "$SECRET_KEY:" \\
  -d amount=10.5 \\
  -d currency=JPX`,
}

/** Pays with a card that is declined. */
export const declined_payment: Sample = {
  shell: `curl {base_url}/payments -u "$SECRET_KEY:" \\
  -d amount=1000 \\
  -d currency=JPY \\
  -d 'payment_details[type]=credit_card' \\
  -d 'payment_details[number]=4123111111111059' \\
  -d 'payment_details[month]=12' \\
  -d 'payment_details[year]=2035' \\
  -d 'payment_details[name]=Taro Yamada'`,
}

/** Pays the order `ORDER` with the token `TOKEN`, and says what the shop does next. */
export const handle_errors: Sample = {
  typescript: `const response = await fetch('{base_url}/payments', {
  method: 'POST',
  headers: {
    Authorization: \`Basic \${btoa(\`\${process.env.SECRET_KEY}:\`)}\`,
    'Content-Type': 'application/json',
    'Idempotency-Key': \`pay-\${process.env.ORDER}\`,
  },
  body: JSON.stringify({ amount: 1000, currency: 'JPY', payment_details: process.env.TOKEN }),
})
const answer = await response.json()
const { status } = response
if (response.ok) console.log('paid', answer.id)
else {
  const { code, message, param, details, request_id } = answer.error
  if (code === 'other_error') console.log('read failure_code of', details.payment)
  else if (status === 402 || code === 'fraudulent') console.log('ask for another card:', code, details.payment)
  else if (status === 409 || status === 429 || status >= 500) console.log('repeat with the same key:', code)
  else if (code === 'invalid_token') console.log('ask the browser for a new token')
  else console.error('repair the program:', status, code, param, message, request_id)
}`,
  python: `import base64
import json
import os
import urllib.error
import urllib.request

credentials = base64.b64encode(f"{os.environ['SECRET_KEY']}:".encode()).decode()
order = {"amount": 1000, "currency": "JPY", "payment_details": os.environ["TOKEN"]}
request = urllib.request.Request(
    "{base_url}/payments",
    data=json.dumps(order).encode(),
    headers={
        "Authorization": f"Basic {credentials}",
        "Content-Type": "application/json",
        "Idempotency-Key": f"pay-{os.environ['ORDER']}",
    },
)
try:
    with urllib.request.urlopen(request, timeout=60) as response:
        print("paid", json.load(response)["id"])
except urllib.error.HTTPError as response:
    status, error = response.code, json.load(response)["error"]
    code = error["code"]
    if code == "other_error":
        print("read failure_code of", error["details"]["payment"])
    elif status == 402 or code == "fraudulent":
        print("ask for another card:", code, error["details"]["payment"])
    elif status in (409, 429) or status >= 500:
        print("repeat with the same key:", code)
    elif code == "invalid_token":
        print("ask the browser for a new token")
    else:
        print("repair the program:", status, code, error["param"], error["message"], error["request_id"])`,
}
