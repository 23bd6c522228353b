import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync, type Metafile } from 'esbuild'

/**
 * Bundles every file of `functions/` that is named into a folder of its own, `<into>/<file>/index.js`, which is all that
 * its Lambda is deployed with. A folder's bytes depend on nothing but the sources that the file reaches, so a change
 * deploys only the functions that it concerns. Answers what went into each bundle; throws when a file does not build.
 */
export function bundle(files: readonly string[], { root, into }: { root: string; into: string }): Metafile {
  rmSync(into, { recursive: true, force: true })
  return buildSync({
    absWorkingDir: root,
    entryPoints: files.map((file) => ({ in: join('functions', `${file}.ts`), out: join(file, 'index') })),
    outdir: into,
    bundle: true,
    platform: 'node',
    target: 'node24',
    // CommonJS starts faster than modules, but only of their ES form can esbuild leave out what is not used.
    format: 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  }).metafile
}
