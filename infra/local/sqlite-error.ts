/** The primary result codes of SQLite for each kind of fault of a file. */
const CODES = { busy: [5], no_access: [3, 8, 14, 23], full: [13], damaged: [11, 26] }

/** The error message for each kind of fault. It follows the path of the file. */
const SENTENCES: Readonly<Record<keyof typeof CODES, string>> = {
  busy: 'is in use by another process. Only one process may serve from a data folder.',
  no_access: 'cannot be opened: make it a file that this user may read and write, or set DATA_DIR to another folder.',
  full: 'cannot be written to, because the disk is full: free some space.',
  damaged: 'is damaged: restore a backup of the data folder, or remove the folder to start without data.',
}

/** Whether an error comes from SQLite and not from our own code. */
export const isFromSqlite = (error: unknown): error is Error & { readonly errcode?: number } =>
  (error as { code?: string }).code === 'ERR_SQLITE_ERROR'

/**
 * Returns an error of SQLite as one sentence with the path of its file and the remedy. Returns any other error
 * unchanged.
 */
export function sqliteError(file: string, error: unknown, sentences: Partial<typeof SENTENCES> = {}): Error {
  if (!isFromSqlite(error)) return error as Error
  // The low byte of an extended result code is the primary one.
  const code = (error.errcode ?? 0) & 0xff
  const fault = (Object.keys(CODES) as (keyof typeof CODES)[]).find((name) => CODES[name].includes(code))
  const sentence = fault ? { ...SENTENCES, ...sentences }[fault] : `cannot be used (${error.message}).`
  return new Error(`${file} ${sentence}`, { cause: error })
}

/** Returns the error for a damaged file that SQLite itself would treat as empty. */
export const damagedFile = (file: string): Error => new Error(`${file} ${SENTENCES.damaged}`)
