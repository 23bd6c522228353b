import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import chromium from '@sparticuz/chromium'
import { type Browser, launch } from 'puppeteer-core'

const modules = fileURLToPath(new URL('../../node_modules/', import.meta.url))

// The package's own flags are for Lambda and switch off the same-origin policy, which the tests check.
const flags = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage', '--font-render-hinting=none']

/** Starts the headless browser. `fonts` is a fontconfig file that replaces that of the machine. */
export async function launchBrowser(fonts?: string): Promise<Browser> {
  const executablePath = await unpackedBrowser()
  const env = { ...process.env, ...(fonts && { FONTCONFIG_FILE: fonts }) }
  return await launch({ args: flags, executablePath, env, headless: 'shell', timeout: 20_000 })
}

/**
 * The path of the browser's program. The first call unpacks it into a folder of its own and renames that folder, so
 * that concurrent calls never see a part of it.
 */
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
  // The package unpacks into the temporary folder, whose name it reads before its first `await`.
  process.env.TMPDIR = folder
  const unpacked = chromium.executablePath()
  if (TMPDIR === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = TMPDIR
  await unpacked
}
