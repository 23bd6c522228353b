/** A record of a table's stream in Lambda's format. */
export interface StreamRecord {
  readonly eventName: 'INSERT' | 'MODIFY' | 'REMOVE'
  readonly dynamodb: { readonly Keys: { readonly pk: { readonly S: string }; readonly sk: { readonly S: string } } }
}

/** Opens the stream of a table. Each call returns the records since the previous call. */
export async function openTableStream(TableName: string): Promise<() => Promise<StreamRecord[]>> {
  const { Streams } = await call('ListStreams', { TableName })
  const { StreamArn } = Streams[0]
  const { StreamDescription } = await call('DescribeStream', { StreamArn })
  const { ShardId } = StreamDescription.Shards[0]
  let read = 0
  return async () => {
    // When moto rolls a transaction back, existing iterators break.
    const { ShardIterator } = await call('GetShardIterator', { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' })
    const { Records } = await call('GetRecords', { ShardIterator })
    const unread = Records.slice(read)
    read = Records.length
    return unread
  }
}

/** One call to moto, which reads the service and the region from the signature but does not check it. */
// biome-ignore lint/suspicious/noExplicitAny: each operation answers in its own shape
async function call(operation: string, input: object): Promise<any> {
  const { AWS_ENDPOINT_URL, AWS_REGION, AWS_ACCESS_KEY_ID } = process.env
  const response = await fetch(AWS_ENDPOINT_URL!, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
      authorization: `AWS4-HMAC-SHA256 Credential=${AWS_ACCESS_KEY_ID}/20300101/${AWS_REGION}/dynamodb/aws4_request`,
    },
    body: JSON.stringify(input),
  })
  if (!response.ok) throw new Error(`${operation} answered ${response.status}: ${await response.text()}`)
  return response.json()
}
