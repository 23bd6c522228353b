import fc from 'fast-check'

/** Properties try the same values on each run, so that a change is never refused for another's sake; `SEED=7 npm test` tries others. */
fc.configureGlobal({ seed: Number(process.env.SEED ?? 1) })
