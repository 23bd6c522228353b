/** A figure of the model. */
export interface Figure {
  readonly value: number
  /** The page of AWS that states the figure. */
  readonly source: string
}

const guide = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide'

/** The figures of DynamoDB that AWS publishes. Units are read units and write units. */
// biome-ignore format: a table
export const published = {
  /** The limits of one partition of a table or of an index. Reads and writes are limited independently. */
  read_units_per_second:  { value: 3_000, source: `${guide}/bp-partition-key-design.html` },
  write_units_per_second: { value: 1_000, source: `${guide}/bp-partition-key-design.html` },
  /** How many seconds of unused capacity are retained for bursts. */
  burst_seconds:          { value: 300,   source: `${guide}/burst-adaptive-capacity.html` },
  /** What a new on-demand table sustains. A new index is assumed to sustain the same. */
  new_table_write_units:  { value: 4_000, source: `${guide}/on-demand-capacity-mode.html` },
  /** The underlying writes of each item of a transaction: one to prepare it and one to commit it. */
  transaction_writes:     { value: 2,     source: `${guide}/transaction-apis.html#transaction-capacity-handling` },
} as const satisfies Record<string, Figure>

/**
 * Figures of the model for which AWS publishes words and no number. The pages are those of the words.
 */
// biome-ignore format: a table
export const assumed = {
  /** "A partition receives read or write traffic near its throughput capacity limit": the part of the limit. */
  split_above:      { value: 0.8, source: 'https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/' },
  /** "Sustained" traffic: the minutes in a row above that part, after which the partition is split. */
  split_after_minutes: { value: 5, source: 'https://aws.amazon.com/blogs/database/part-2-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/' },
  /**
   * A split is "not beneficial" for one item and for an ever-increasing sort key. Here: if less than this part of the
   * later traffic would go to one of the two sides.
   */
  split_at_least:   { value: 0.1, source: 'https://aws.amazon.com/blogs/database/part-3-scaling-dynamodb-how-partitions-hot-keys-and-split-for-heat-impact-performance/' },
  /** Indexes follow their table "within a fraction of a second, under normal conditions". */
  index_lag_ms:     { value: 500, source: `${guide}/GSI.html` },
} as const satisfies Record<string, Figure>
