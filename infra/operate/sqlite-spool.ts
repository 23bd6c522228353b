import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Fact, Group, Spool } from '#shared/operations/spool.ts'

/** The number of facts that are held in memory before they are written to the file. */
const BATCH = 5_000

/** A spool in a temporary file that only this user can read. `close` deletes the file. */
export class SqliteSpool implements Spool {
  readonly #folder: string
  readonly #database: DatabaseSync
  #waiting: [merchant: string, id: string, fact: string][] = []

  constructor() {
    this.#folder = mkdtempSync(join(tmpdir(), 'reconcile-'))
    this.#database = new DatabaseSync(join(this.#folder, 'facts.sqlite'))
    this.#database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF')
    this.#database.exec('CREATE TABLE facts (merchant TEXT NOT NULL, id TEXT NOT NULL, fact TEXT NOT NULL)')
  }

  add(merchant: string, id: string, fact: Fact): void {
    this.#waiting.push([merchant, id, JSON.stringify(fact)])
    if (this.#waiting.length >= BATCH) this.#write()
  }

  *groups(): Generator<Group> {
    this.#write()
    this.#database.exec('CREATE INDEX IF NOT EXISTS grouped ON facts (merchant, id)')
    let group: { merchant: string; id: string; facts: Fact[] } | undefined
    for (const row of this.#database.prepare('SELECT merchant, id, fact FROM facts ORDER BY merchant, id').iterate()) {
      const { merchant, id, fact } = row as { merchant: string; id: string; fact: string }
      if (group && (group.merchant !== merchant || group.id !== id)) {
        yield group
        group = undefined
      }
      group ??= { merchant, id, facts: [] }
      group.facts.push(JSON.parse(fact))
    }
    if (group) yield group
  }

  close(): void {
    this.#database.close()
    rmSync(this.#folder, { recursive: true, force: true })
  }

  #write(): void {
    const insert = this.#database.prepare('INSERT INTO facts VALUES (?, ?, ?)')
    this.#database.exec('BEGIN')
    for (const row of this.#waiting) insert.run(...row)
    this.#database.exec('COMMIT')
    this.#waiting = []
  }
}
