import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { SyncedFile } from '#infra/local/synced-file.ts'
import type { Recipe } from './recipe.ts'

/**
 * The comparison for the service: `node:http` on SQLite. A request to `/<name>` follows the recipe of that name. It
 * reads rows of the same sizes, one by one or as a range. It commits as often as the service does, each time one row
 * with the same number of bytes, which is durable before the next commit. It parses its body as JSON and responds with
 * the same number of bytes.
 */
const { DATA_DIR = '.', RECIPES = '{}' } = process.env
const recipes: Record<string, Recipe> = JSON.parse(RECIPES)

const file = join(DATA_DIR, 'bare.sqlite')
const database = new DatabaseSync(file)
database.exec(`
  PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536;
  CREATE TABLE committed (item TEXT NOT NULL);
  CREATE TABLE items (pk TEXT NOT NULL, sk TEXT NOT NULL, item TEXT NOT NULL, PRIMARY KEY (pk, sk));
`)
const log = new SyncedFile(`${file}-wal`)
const begin = database.prepare('BEGIN IMMEDIATE')
const commit = database.prepare('COMMIT')
const append = database.prepare('INSERT INTO committed (item) VALUES (?)')
const put = database.prepare('INSERT INTO items (pk, sk, item) VALUES (?, ?, ?)')
const readOne = database.prepare('SELECT item FROM items WHERE pk = ? AND sk = ?')
const readRange = database.prepare('SELECT item FROM items WHERE pk = ? ORDER BY sk DESC')

/** The steps of a recipe as functions. Inserts the rows that the steps read. */
function prepared(name: string, { steps }: Recipe): (() => unknown)[] {
  return steps.map((step, at) => {
    const pk = `${name}#${at}`
    if ('commit' in step) {
      const text = 'x'.repeat(step.commit)
      return () => {
        begin.run()
        append.run(text)
        commit.run()
        return log.sync()
      }
    }
    const sizes = 'read' in step ? step.read : step.range
    for (const [row, bytes] of sizes.entries()) put.run(pk, keyOf(row), JSON.stringify('x'.repeat(bytes)))
    if ('range' in step) return () => readRange.all(pk).map(parse)
    return () => sizes.map((_, row) => parse(readOne.get(pk, keyOf(row))!))
  })
}

const keyOf = (row: number): string => String(row).padStart(6, '0')
const parse = ({ item }: Record<string, unknown>): unknown => JSON.parse(item as string)

const endpoints = Object.fromEntries(
  Object.entries(recipes).map(([name, recipe]) => [
    `/${encodeURIComponent(name)}`,
    { does: prepared(name, recipe), answer: recipe.answer },
  ]),
)

const server = createServer(async (request, response) => {
  const body = await bodyOf(request)
  if (body) JSON.parse(body)
  const { does, answer } = endpoints[request.url!]!
  for (const step of does) await step()
  response.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(answer),
  })
  response.end(answer)
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`))
