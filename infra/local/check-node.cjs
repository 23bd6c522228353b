/*
 * Runs before start and test. All other files need Node 24, and an older Node would report only a syntax error. This
 * file alone is written for every version of Node.
 */

const WANTED = 24
const found = process.versions.node

if (parseInt(found, 10) < WANTED) {
  console.error(
    `This needs Node ${WANTED}, but runs on Node ${found}: run \`npm ci\`, which installs it for the npm scripts, or install Node ${WANTED}.`,
  )
  process.exit(1)
}
