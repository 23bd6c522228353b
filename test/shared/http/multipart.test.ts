import { describe, expect, test } from 'vitest'
import { multipartAsForm } from '#shared/http/multipart.ts'

const form = async (fields: FormData) => {
  const request = new Response(fields)
  return multipartAsForm(new Uint8Array(await request.arrayBuffer()), request.headers.get('content-type') ?? '')
}

describe('multipartAsForm', () => {
  test('writes the text fields as a form, in their order', async () => {
    const fields = new FormData()
    fields.append('a[][b]', '1 & 2 = é')
    fields.append('c', '')
    fields.append('a[][b]', '3')
    expect(await form(fields)).toBe('a%5B%5D%5Bb%5D=1+%26+2+%3D+%C3%A9&c=&a%5B%5D%5Bb%5D=3')
  })

  test('accepts a content type in any case, and a quoted boundary', async () => {
    const bytes = Buffer.from('--x y\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x y--\r\n')
    expect(await multipartAsForm(bytes, 'Multipart/FORM-data; Boundary="x y"')).toBe('a=1')
  })

  test('refuses a file and names its field', async () => {
    const fields = new FormData()
    fields.append('paper', new Blob(['%PDF']), 'paper.pdf')
    await expect(form(fields)).rejects.toMatchObject({ code: 'bad_request', param: 'paper' })
  })

  test.each([
    ['multipart/form-data', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'],
    ['multipart/form-data; boundary=', '--\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n----\r\n'],
    ['multipart/form-data; boundary=y', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n'],
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n4111111111111111'],
    ['multipart/form-data; boundary=x', '--x\r\ncontent-disposition: form-data\r\n\r\n1\r\n--x--\r\n'],
    ['multipart/form-data; boundary=x\r\n', 'a=1'],
  ])('refuses %j with a body that does not match it, without repeating the body', async (content_type, body) => {
    const refusal = await multipartAsForm(Buffer.from(body), content_type).catch((error) => error)
    expect(refusal).toMatchObject({ name: 'Refusal', code: 'bad_request', param: null })
    expect(refusal.cause).toBeUndefined()
    expect(refusal.message).not.toContain('4111')
  })
})
