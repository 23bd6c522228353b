import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { pythonWith } from '#test/fixtures/python.ts'

const certificate = join(import.meta.dirname, '../fixtures/certificates/emulator.pem')

/** ministack in a process of its own: an emulator of AWS, over TLS and with enforced IAM permissions. */
export interface Emulator {
  /** The endpoint of every service, such as `https://127.0.0.1:40123`. */
  readonly url: string
  /** The environment of a program that calls the emulator and cannot reach an AWS account. */
  readonly env: Readonly<Record<string, string>>
  /** A folder outside the project that is removed with the emulator. */
  readonly scratch: string
  stop(): Promise<void>
}

/**
 * Starts ministack on a free port of the loopback interface. The first start installs it, which needs python3 and the
 * network. With `bare`, `server.py` fills none of the gaps in `gaps.ts`.
 */
export async function startEmulator({ bare = false } = {}): Promise<Emulator> {
  const scratch = mkdtempSync(join(tmpdir(), 'stack-'))
  // ministack writes a bundle of certificates into the folder of its own certificate.
  const own_certificate = join(scratch, 'emulator.pem')
  copyFileSync(certificate, own_certificate)
  const node = dirname(process.execPath)
  const server = spawn(
    pythonWith('stack', join(import.meta.dirname, 'requirements.txt')),
    [join(import.meta.dirname, 'server.py'), ...(bare ? ['--bare'] : [])],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: {
        ...withoutAccount(),
        // ministack runs functions with the first `node` in the path, each in its own folder.
        PATH: `${node}${delimiter}${process.env.PATH}`,
        TMPDIR: scratch,
        AUTH: 'true',
        USE_SSL: '1',
        MINISTACK_SSL_CERT: own_certificate,
        MINISTACK_SSL_KEY: own_certificate,
        NODE_EXTRA_CA_CERTS: certificate,
        // Services with fixed ports, which the tests do not use.
        IOT_MTLS_ENABLED: '0',
        SFTP_ENABLED: '0',
        LOG_LEVEL: 'ERROR',
      },
    },
  )
  const ended = once(server, 'exit')
  const [port] = await Promise.race([once(server.stdout, 'data'), ended])
  if (server.exitCode !== null) throw new Error(`ministack ended with ${server.exitCode} before it listened`)
  const url = `https://127.0.0.1:${Number(port)}`
  return {
    url,
    scratch,
    env: {
      AWS_ENDPOINT_URL: url,
      AWS_REGION: 'us-east-1',
      // The root user of the emulator's account.
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_CA_BUNDLE: certificate,
      NODE_EXTRA_CA_CERTS: certificate,
      ...noAccount,
    },
    async stop() {
      server.stdin.end()
      await ended
      rmSync(scratch, { recursive: true, force: true })
    },
  }
}

const noAccount = {
  AWS_CONFIG_FILE: '/dev/null',
  AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
  AWS_EC2_METADATA_DISABLED: 'true',
}

/** The environment of this process without anything that gives access to an AWS account. */
export function withoutAccount(): Record<string, string | undefined> {
  const entries = Object.entries(process.env).filter(([name]) => !name.startsWith('AWS_'))
  return { ...Object.fromEntries(entries), ...noAccount }
}
