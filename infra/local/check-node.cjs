/*
 * Runs before start and test. Everything else needs Node 24, and an older Node would only say so by a syntax error
 * somewhere; so this file, and it alone, is written for any Node.
 */

const WANTED = 24
const found = process.versions.node

if (parseInt(found, 10) < WANTED) {
  console.error(
    `This needs Node ${WANTED}, but runs on Node ${found}: run \`npm ci\`, which installs it for the npm scripts, or install Node ${WANTED}.`,
  )
  process.exit(1)
}
