import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const require = createRequire(import.meta.url)

/** Fonts that a browser can be started with. */
export interface Fonts {
  /** The fontconfig file that names them. */
  readonly config: string
  remove(): void
}

/** Unpacks Japanese and Korean fonts for screenshots, so that the machine needs none. */
export async function openFonts(): Promise<Fonts> {
  const folder = mkdtempSync(join(tmpdir(), 'fonts-'))
  // Sequential: the unpacker works on one font at a time, and a second call overwrites the memory of the first one.
  for (const language of ['jp', 'kr']) await unpackFont(language, join(folder, language))
  const config = join(folder, 'fonts.conf')
  writeFileSync(config, fontsConf(folder))
  return { config, remove: () => rmSync(folder, { recursive: true }) }
}

/**
 * Unpacks the fonts of a language. The package has only compressed fonts, which the browser does not load from the
 * system.
 */
async function unpackFont(language: string, folder: string): Promise<void> {
  const { decompress } = require('wawoff2') as { decompress(font: Uint8Array): Promise<Uint8Array> }
  const files = join(dirname(require.resolve(`@fontsource-variable/noto-sans-${language}/package.json`)), 'files')
  mkdirSync(folder)
  for (const file of readdirSync(files).filter((name) => name.endsWith('-wght-normal.woff2'))) {
    writeFileSync(join(folder, file.replace('.woff2', '.ttf')), await decompress(readFileSync(join(files, file))))
  }
}

const fontsConf = (folder: string): string => `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <cachedir>${folder}/cache</cachedir>
</fontconfig>
`
