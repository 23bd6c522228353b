import {
  DecryptCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
} from '@aws-sdk/client-kms'
import { SealBroken, type Vault } from '../ports.ts'
import { answered, client_options, failureOf } from './calls.ts'

/** A vault whose key never leaves KMS. */
export class KmsVault implements Vault {
  readonly #key_id: string
  #client: KMSClient | undefined

  /** `key_id` is the id, ARN or alias of the key. */
  constructor(key_id: string) {
    this.#key_id = key_id
  }

  async seal(plain: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array> {
    const command = new EncryptCommand({ KeyId: this.#key_id, Plaintext: plain, EncryptionContext: context })
    const { CiphertextBlob } = await answered(this.#kms().send(command))
    return CiphertextBlob!
  }

  async open(sealed: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array> {
    const command = new DecryptCommand({ KeyId: this.#key_id, CiphertextBlob: sealed, EncryptionContext: context })
    try {
      const { Plaintext } = await this.#kms().send(command)
      return Plaintext!
    } catch (error) {
      const isBroken = error instanceof InvalidCiphertextException || error instanceof IncorrectKeyException
      throw isBroken ? new SealBroken('other bytes, another key or another context') : failureOf(error)
    }
  }

  #kms(): KMSClient {
    this.#client ??= new KMSClient(client_options)
    return this.#client
  }
}
