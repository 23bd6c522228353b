import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type BuildOptions, buildSync, type Metafile } from 'esbuild'

/**
 * What functions load only when they first need it. Each is a package of its own in the folder of every bundle that can
 * load it, so that no function reads it at its start and other functions do not contain it. `import` is how the sources
 * name it. A class of it that a bundle also contains exists twice, so a file of ours may only pass on other packages.
 */
const lazy_packages = [
  { name: 'stripe', import: 'stripe', entry: 'stripe' },
  { name: 's3-sdk', import: '#shared/platform/aws/s3-sdk.ts', entry: 'shared/platform/aws/s3-sdk.ts' },
] as const

type LazyPackage = (typeof lazy_packages)[number]

/**
 * `bundle` bundles each named file of `functions/` into `<into>/<file>/index.js`, and deletes what `into` held before.
 * A Lambda function is deployed with the folder of its file alone. The bytes of a folder depend only on the sources
 * that the file imports, directly or indirectly, so a deployment updates only the functions that a change affects.
 * A folder also contains `node_modules/<package>` for each lazy package that its file can load. Returns esbuild's
 * metafile, which lists the inputs of each bundle. Throws when a file does not build.
 */
export function bundle(files: readonly string[], { root, into }: { root: string; into: string }): Metafile {
  rmSync(into, { recursive: true, force: true })
  const { metafile } = buildSync({
    ...bundleOptions(root),
    entryPoints: files.map((file) => ({ in: join('functions', `${file}.ts`), out: join(file, 'index') })),
    outdir: into,
    alias: {
      ...aliasesOf(root),
      ...Object.fromEntries(lazy_packages.filter((it) => it.import !== it.name).map((it) => [it.import, it.name])),
    },
    external: lazy_packages.map(({ name }) => name),
    metafile: true,
  })
  for (const each of lazy_packages) addPackage(each, root, loadersOf(each, metafile))
  return metafile
}

/**
 * A function gets its credentials from the environment. The SDK's other sources of credentials are a quarter of the code
 * of a bundle, and would be read at every cold start.
 */
const aliasesOf = (root: string): Record<string, string> => ({
  '@aws-sdk/credential-provider-node': join(root, 'shared/platform/aws/environment-credentials.ts'),
})

/** The options of every bundle. */
export const bundleOptions = (root: string): BuildOptions => ({
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node24',
  // CommonJS starts faster than ES modules, but esbuild can leave out unused code only from ES modules.
  format: 'cjs',
  mainFields: ['module', 'main'],
  minify: true,
  legalComments: 'none',
  // One character outside ASCII doubles the memory and the time that Node takes to read a bundle. esbuild escapes such a
  // character in a string, but not in a template literal.
  supported: { 'template-literal': false },
  logLevel: 'warning',
})

/** The bundles that can load a package, by their paths relative to the root. */
const loadersOf = ({ name }: LazyPackage, { outputs }: Metafile): string[] =>
  Object.entries(outputs).flatMap(([path, { imports }]) => (imports.some((it) => it.path === name) ? path : []))

/** Bundles a package once and writes it beside each of these bundles. */
function addPackage({ name, entry }: LazyPackage, root: string, loaders: readonly string[]): void {
  if (loaders.length === 0) return
  const [built] = buildSync({
    ...bundleOptions(root),
    alias: aliasesOf(root),
    entryPoints: [entry],
    write: false,
  }).outputFiles!
  for (const loader of loaders) {
    const folder = join(root, dirname(loader), 'node_modules', name)
    mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, 'index.js'), built!.contents)
  }
}
