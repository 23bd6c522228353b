import { randomUUID } from 'node:crypto'
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { CreateAliasCommand, CreateKeyCommand, EncryptCommand, KMSClient } from '@aws-sdk/client-kms'
import { CreateQueueCommand, SQSClient } from '@aws-sdk/client-sqs'
import { vi } from 'vitest'
import type { Emulator } from './emulator.ts'

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The account of an emulator, with a key, a queue and a table to try permissions on. */
export class Account {
  readonly #emulator: Pick<Emulator, 'url'>
  readonly key_alias = `alias/key-${randomUUID()}`
  readonly table = `table-${randomUUID()}`
  key_arn = ''
  queue_url = ''

  private constructor(emulator: Pick<Emulator, 'url'>) {
    this.#emulator = emulator
  }

  /** Creates a key with an alias, a queue and a table. */
  static async open(emulator: Pick<Emulator, 'url'>): Promise<Account> {
    const account = new Account(emulator)
    const kms = new KMSClient(account.client)
    const { KeyMetadata } = await kms.send(new CreateKeyCommand())
    await kms.send(new CreateAliasCommand({ AliasName: account.key_alias, TargetKeyId: KeyMetadata!.KeyId }))
    account.key_arn = KeyMetadata!.Arn!
    const queue = new CreateQueueCommand({ QueueName: `queue-${randomUUID()}` })
    account.queue_url = (await new SQSClient(account.client).send(queue)).QueueUrl!
    await new DynamoDBClient(account.client).send(
      new CreateTableCommand({
        TableName: account.table,
        BillingMode: 'PAY_PER_REQUEST',
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      }),
    )
    return account
  }

  /** The configuration of an AWS SDK client with the credentials of the root user. */
  get client() {
    return {
      endpoint: this.#emulator.url,
      region: 'us-east-1',
      credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    }
  }

  /** Creates a user with one policy statement and returns the credentials. */
  async userWho(statement: object): Promise<Credentials> {
    const UserName = `user-${randomUUID()}`
    const Statement = [{ Effect: 'Allow', ...statement }]
    await this.#query('iam', { Action: 'CreateUser', UserName })
    const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement })
    await this.#query('iam', { Action: 'PutUserPolicy', UserName, PolicyName: 'only', PolicyDocument })
    const made = await this.#query('iam', { Action: 'CreateAccessKey', UserName })
    return { accessKeyId: tag(made, 'AccessKeyId'), secretAccessKey: tag(made, 'SecretAccessKey') }
  }

  /** Whether a call is denied by IAM. Throws any other error. */
  async refuses(call: Promise<unknown>): Promise<boolean> {
    try {
      await call
      return false
    } catch (error) {
      if (/AccessDenied/.test((error as Error).name)) return true
      throw error
    }
  }

  /** Whether `kms:Encrypt` with the alias of the key is denied to a user whose policy has these limits. */
  async refusesEncrypt(limits: { readonly Resource?: string; readonly Condition?: object }): Promise<boolean> {
    const credentials = await this.userWho({ Action: 'kms:Encrypt', Resource: '*', ...limits })
    const EncryptionContext = { purpose: 'test' }
    const command = new EncryptCommand({ KeyId: this.key_alias, Plaintext: Buffer.from('text'), EncryptionContext })
    return this.refuses(new KMSClient({ ...this.client, credentials }).send(command))
  }

  /** Whether CloudFormation fails to create a resource. */
  async cannotCreate(resource: object): Promise<boolean> {
    const StackName = `stack-${randomUUID()}`
    const TemplateBody = JSON.stringify({ Resources: { Only: resource } })
    await this.#query('cloudformation', { Action: 'CreateStack', StackName, TemplateBody })
    const status = await vi.waitFor(async () => {
      const found = tag(await this.#query('cloudformation', { Action: 'DescribeStacks', StackName }), 'StackStatus')
      if (found.endsWith('_IN_PROGRESS')) throw new Error(`the stack is still ${found}`)
      return found
    }, 30_000)
    return status !== 'CREATE_COMPLETE'
  }

  /** One call to a REST service. */
  // biome-ignore lint/suspicious/noExplicitAny: each operation answers in its own shape
  async rest(method: string, path: string, json?: object): Promise<any> {
    const headers = { authorization: authorization('apigateway'), 'content-type': 'application/json' }
    return JSON.parse(await this.#send(path, { method, headers, body: json && JSON.stringify(json) }))
  }

  #query(service: string, parameters: Readonly<Record<string, string>>): Promise<string> {
    const headers = { authorization: authorization(service) }
    return this.#send('/', { method: 'POST', headers, body: new URLSearchParams(parameters) })
  }

  async #send(path: string, init: RequestInit): Promise<string> {
    const response = await fetch(this.#emulator.url + path, init)
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
    return text
  }
}

/** The emulator does not check the signature of the root user, but reads the service and the region from it. */
const authorization = (service: string) =>
  `AWS4-HMAC-SHA256 Credential=test/20300101/us-east-1/${service}/aws4_request, SignedHeaders=host, Signature=none`

function tag(xml: string, name: string): string {
  const [, value] = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml) ?? []
  if (value === undefined) throw new Error(`there is no ${name} in ${xml}`)
  return value
}
