import { idOf, type ScenarioStep } from './example-step.ts'

const key =
  (name: string) =>
  ({ create_account, [name]: made }: Readonly<Record<string, { readonly id: string }>>) => ({
    params: { id: create_account!.id, key: made!.id },
  })

/** An account of a shop on a platform, and its keys. */
export const account_steps: readonly ScenarioStep[] = [
  {
    name: 'create_account',
    route: 'POST /accounts',
    summary: 'Create an account for a shop of the platform',
    request: () => ({ content: { name: '山田茶舗', default_currency: 'JPY', time_zone: 'Asia/Tokyo' } }),
  },
  { name: 'show_account', route: 'GET /accounts/:id', summary: 'Show an account', request: idOf('create_account') },
  {
    name: 'update_account',
    route: 'PATCH /accounts/:id',
    summary: 'Change the time zone',
    request: (known) => ({ ...idOf('create_account')(known), content: { time_zone: 'Asia/Seoul' } }),
  },
  {
    name: 'accept_service_agreement',
    route: 'POST /accounts/:id/accept_service_agreement',
    summary: 'Record that the owner of the account has accepted the service agreement',
    request: (known) => ({
      ...idOf('create_account')(known),
      content: {
        accepted_service_agreement_at: '2030-01-15T10:00:00+09:00',
        accepted_service_agreement_ip: '2001:db8::7',
      },
    }),
  },
  {
    name: 'create_key',
    route: 'POST /accounts/:id/keys',
    summary: 'Create a secret key for the test merchant of an account',
    request: (known) => ({ ...idOf('create_account')(known), content: { kind: 'secret' } }),
  },
  {
    name: 'roll_key',
    route: 'POST /accounts/:id/keys/:key/roll',
    summary: 'Replace a key, which stays valid for one more hour',
    request: (known) => ({ ...key('create_key')(known), content: { grace_seconds: 3600 } }),
  },
  {
    name: 'delete_key',
    route: 'DELETE /accounts/:id/keys/:key',
    summary: 'Revoke a key at once',
    request: key('roll_key'),
  },
]

/** The smallest image of type WEBP. */
const tiny_image = atob('UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==')

/** What customers see of an account. */
export const brand_steps: readonly ScenarioStep[] = [
  {
    name: 'upload_logo',
    route: 'POST /files',
    summary: 'Upload the logo of a shop',
    request: () => ({ file: { name: 'logo.webp', text: tiny_image, type: 'image/webp' } }),
  },
  {
    name: 'brand_account',
    route: 'PATCH /accounts/:id',
    summary: 'Set the name, the color and the logo that customers see',
    request: (known) => ({
      ...idOf('create_account')(known),
      content: { display_name: '山田のお茶', accent_color: '#2e7d32', logo: known.upload_logo.id },
    }),
  },
]
