import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { documentOf, documentsOf } from '#shared/live-application/application-documents.ts'
import { applicantOf } from '#shared/live-application/examine-application.ts'
import { removed } from '#shared/store/change.ts'
import { files } from '#shared/store/files.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { newApplicant } from '#test/fixtures/applicant.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

describe('documentsOf', () => {
  test('names each document with its field, also one that is not there', async () => {
    const { id } = await newApplicant(api)
    const documents = await documentsOf(api.platform, await applicantOf(api.platform, id))
    const [{ file } = { file: undefined }] = documents
    expect(documents).toEqual([
      { field: 'company_information[incorporation_certificates]', id: file!.id, file },
      { field: 'personal_information[identity_front]', id: file!.id, file },
    ])
    expect(await documentOf(api.platform, { merchant: id, file: file!.id })).toEqual({
      file,
      object: `${id}/${file!.id}`,
    })
    await new UnitOfWork({ platform: api.platform, merchant: id, mode: 'live' }).commit([removed(files, file!)])
    const [gone] = await documentsOf(api.platform, await applicantOf(api.platform, id))
    expect(gone).toMatchObject({ id: file!.id, file: undefined })
  })

  test('is empty for a merchant without records', async () => {
    const { live } = await api.newMerchants()
    expect(await documentsOf(api.platform, await applicantOf(api.platform, live.id))).toEqual([])
  })
})

describe('documentOf', () => {
  test('refuses the file of another merchant and what is no id', async () => {
    const [one, other] = [await newApplicant(api), await newApplicant(api)]
    const [{ id: file } = { id: '' }] = await documentsOf(api.platform, await applicantOf(api.platform, other.id))
    for (const refused of [file, 'fil_none', '../x'])
      await expect(documentOf(api.platform, { merchant: one.id, file: refused })).rejects.toMatchObject({
        code: 'not_found',
      })
  })
})
