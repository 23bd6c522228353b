import { describe, expect, test } from 'vitest'
import { multipartAsForm } from '#shared/http/multipart.ts'

const asForm = async (body: string | Uint8Array, content_type: string) =>
  multipartAsForm(Buffer.from(body as Uint8Array), content_type)

const X = 'multipart/form-data; boundary=x'

const form = async (fields: FormData) => {
  const request = new Response(fields)
  return asForm(await request.bytes(), request.headers.get('content-type') ?? '')
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
    expect(await asForm(bytes, 'Multipart/FORM-data; Boundary="x y"')).toBe('a=1')
  })

  test.each(['a"b', 'a\\', 'a\\b', 'a\r\nb', 'a;b=c', 'a[謄][]', "a'b*", '%41', ''])(
    'reads the name %j as a browser sends it',
    async (name) => {
      const fields = new FormData()
      fields.append(name, 'text')
      fields.append('last', 'text')
      expect(await form(fields)).toBe(
        new URLSearchParams([
          [name, 'text'],
          ['last', 'text'],
        ]).toString(),
      )
    },
  )

  test('reads text that is not UTF-8, begins with a byte order mark or looks like a boundary', async () => {
    const part = Buffer.from('--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n')
    const read = (text: string, encoding: BufferEncoding = 'utf8') =>
      asForm(Buffer.concat([part, Buffer.from(text, encoding), Buffer.from('\r\n--x--\r\n')]), X)
    expect(await read('\xff', 'latin1')).toBe('a=%EF%BF%BD')
    expect(await read('\ufeff1')).toBe('a=%EF%BB%BF1')
    expect(await read('1\r\n--x--2\r\n--xy')).toBe('a=1%0D%0A--x--2%0D%0A--xy')
  })

  test('reads as many fields as a form can have, and more', async () => {
    const fields = new FormData()
    for (let index = 0; index < 1_100; index++) fields.append(`a${index}`, `${index}`)
    expect((await form(fields)).split('&')).toHaveLength(1_100)
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
    const refusal = await asForm(body, content_type).catch((error) => error)
    expect(refusal).toMatchObject({ name: 'Refusal', code: 'bad_request', param: null })
    expect(refusal.cause).toBeUndefined()
    expect(refusal.message).not.toContain('4111')
  })
})
