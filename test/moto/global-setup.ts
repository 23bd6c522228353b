import { startMoto } from '#test/fixtures/moto.ts'

/** moto runs for as long as the tests do. */
export default async function setup(): Promise<() => void> {
  const { stop } = await startMoto()
  return stop
}
