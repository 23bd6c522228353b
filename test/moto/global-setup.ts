import { startMoto } from '#test/fixtures/moto.ts'

/** Runs moto for as long as the tests run. */
export default async function setup(): Promise<() => void> {
  const { stop } = await startMoto()
  return stop
}
