import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { type Browser, launch } from 'puppeteer-core'

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))

// The package's own list of flags is for Lambda: it turns off the same-origin policy, which the tests are about.
const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none']

/** Starts the headless browser; `fonts` is a fontconfig file that stands in for the machine's own. */
export async function launchBrowser(fonts?: string): Promise<Browser> {
  const executablePath = await unpackedBrowser()
  const env = { ...process.env, ...(fonts && { FONTCONFIG_FILE: fonts }) }
  return await launch({ args: flags, executablePath, env, headless: 'shell', timeout: 20_000 })
}

/** Where the browser's program lies. The first that asks unpacks it; others who ask meanwhile see all of it or nothing. */
async function unpackedBrowser(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(modules, '@sparticuz/chromium/package.json'), 'utf8'))
  const cache = join(modules, '.cache')
  const folder = join(cache, `chromium-${version}`)
  const program = join(folder, 'chromium')
  if (existsSync(program)) return program
  mkdirSync(cache, { recursive: true })
  const own = mkdtempSync(join(cache, 'unpacking-'))
  try {
    await unpackInto(own)
    renameSync(own, folder)
  } catch (error) {
    rmSync(own, { recursive: true })
    if (!existsSync(program)) throw error
  }
  return program
}

async function unpackInto(folder: string): Promise<void> {
  const { TMPDIR } = process.env
  // The package unpacks into the temporary folder, and asks for its name before it waits for anything.
  process.env.TMPDIR = folder
  const unpacked = chromium.executablePath()
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  await unpacked
}
