import type { Sample } from '../sample.ts'

/** Generates the types of a client from the API description. */
export const generate_client: Sample = {
  shell: `npm install openapi-fetch
npx openapi-typescript {base_url}/openapi.json --output api.d.ts`,
}

/** Uses the generated types: prints the first payments. */
export const use_client: Sample = {
  typescript: `import createClient from 'openapi-fetch'
import type { paths } from './api.js'

const client = createClient<paths>({
  baseUrl: '{base_url}',
  headers: { Authorization: \`Basic \${btoa(\`\${process.env.SECRET_KEY}:\`)}\` },
})
const { data, error } = await client.GET('/payments', { params: { query: { per_page: 10 } } })
console.log(data?.data ?? error?.error.message)`,
}
