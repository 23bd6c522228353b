/** Numbers of list entries by their facet. A list whose facets are not counted has all its entries under `UNNAMED`. */
export type Numbers = ReadonlyMap<string, number>

/** Stands for the name that is missing. The table stores no empty names. */
export const UNNAMED = '*'

export const NO_NUMBERS: Numbers = new Map()

/** The sum of both. `times` multiplies the second one. */
export function plus(one: Numbers, other: Numbers, times = 1): Numbers {
  const sum = new Map(one)
  for (const [facet, number] of other) addTo(sum, facet, number * times)
  return sum
}

/** Adds a number of entries with this facet. */
export function addTo(numbers: Map<string, number>, facet: string, number: number): void {
  const sum = (numbers.get(facet) ?? 0) + number
  if (sum === 0) numbers.delete(facet)
  else numbers.set(facet, sum)
}

/** How many of the entries a filter accepts; all of them without a filter. */
export function numberOf(numbers: Numbers, accepts: ((facet: string) => boolean) | undefined): number {
  let sum = 0
  for (const [facet, number] of numbers) if (!accepts || accepts(facet)) sum += number
  return sum
}

/** The form in which numbers are stored. */
export const storedNumbers = (numbers: Numbers): Readonly<Record<string, number>> => Object.fromEntries(numbers)
