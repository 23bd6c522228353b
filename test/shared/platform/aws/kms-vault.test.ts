import {
  DecryptCommand,
  EncryptCommand,
  IncorrectKeyException,
  InvalidCiphertextException,
  KMSClient,
  KMSInternalException,
} from '@aws-sdk/client-kms'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, expect, test } from 'vitest'
import { KmsVault } from '#shared/platform/aws/kms-vault.ts'
import { PlatformUnavailable, SealBroken } from '#shared/platform/ports.ts'

const aws = mockClient(KMSClient)
beforeEach(() => {
  aws.reset()
})

const vault = new KmsVault('alias/vault')
const bytes = Uint8Array.of(1, 2, 3)
const context = { merchant: 'mer_1' }
const answer = { message: '', $metadata: {} }

test('KmsVault sends the key and the context when it seals and opens', async () => {
  aws.on(EncryptCommand).resolves({ CiphertextBlob: bytes }).on(DecryptCommand).resolves({ Plaintext: bytes })
  await vault.open(await vault.seal(bytes, context), context)
  expect(aws.calls().map((call) => call.args[0].input)).toEqual([
    { KeyId: 'alias/vault', Plaintext: bytes, EncryptionContext: context },
    { KeyId: 'alias/vault', CiphertextBlob: bytes, EncryptionContext: context },
  ])
})

test.each([new InvalidCiphertextException(answer), new IncorrectKeyException(answer)])(
  'KmsVault throws SealBroken if KMS answers $name',
  async (error) => {
    aws.on(DecryptCommand).rejects(error)
    await expect(vault.open(bytes, context)).rejects.toBeInstanceOf(SealBroken)
  },
)

test('KmsVault throws PlatformUnavailable if KMS fails', async () => {
  aws.onAnyCommand().rejects(new KMSInternalException(answer))
  await expect(vault.open(bytes, context)).rejects.toBeInstanceOf(PlatformUnavailable)
  await expect(vault.seal(bytes, context)).rejects.toBeInstanceOf(PlatformUnavailable)
})

test('KmsVault throws a missing permission unchanged', async () => {
  const error = Object.assign(new Error(), { name: 'AccessDeniedException', $fault: 'client' })
  aws.onAnyCommand().rejects(error)
  await expect(vault.open(bytes, context)).rejects.toBe(error)
})
