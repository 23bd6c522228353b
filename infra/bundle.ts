import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync, type Metafile } from 'esbuild'

/**
 * `bundle` bundles each named file of `functions/` into `<into>/<file>/index.js`, and deletes what `into` held before.
 * A Lambda function is deployed with the folder of its file alone. The bytes of a folder depend only on the sources
 * that the file imports, directly or indirectly, so a deployment updates only the functions that a change affects.
 * Returns esbuild's metafile, which lists the inputs of each bundle. Throws when a file does not build.
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
    // CommonJS starts faster than ES modules, but esbuild can leave out unused code only from ES modules.
    format: 'cjs',
    mainFields: ['module', 'main'],
    minify: true,
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  }).metafile
}
