import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { boundaryOf, cutForm, MalformedForm } from './cut-form'

const form = (...parts: readonly string[]) => Buffer.from(`--b\r\n${parts.join('\r\n--b\r\n')}\r\n--b--\r\n`)
const field = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}`

const textsOf = (body: Buffer<ArrayBuffer>) => cutForm(body, 'b').map(({ name, bytes }) => [name, bytes.toString()])

describe('cutForm', () => {
  test('returns names, values and files as views of the body', () => {
    const file =
      'content-disposition: form-data; name=file; filename="a.mp3"\r\nContent-Type: audio/mpeg\r\n\r\n\0\r\n-\xff'
    const body = form(field('model', 'whisper-1'), file, field('empty', ''))
    const parts = cutForm(body, 'b')
    expect(parts.map(({ name, filename, type }) => [name, filename, type])).toEqual([
      ['model', null, ''],
      ['file', 'a.mp3', 'audio/mpeg'],
      ['empty', null, ''],
    ])
    expect(parts.map(({ bytes }) => bytes.toString())).toEqual(['whisper-1', '\0\r\n-\xff', ''])
    expect(parts.every(({ bytes }) => bytes.buffer === body.buffer)).toBe(true)
  })

  test.each([
    ['quotes as browsers write them', 'a%22b.mp3', 'a"b.mp3'],
    ['quotes as curl writes them', 'a\\"b.mp3', 'a"b.mp3'],
    ['characters of any language', '录音.mp3', '录音.mp3'],
    ['line ends', 'a%0D%0Ab', 'a\r\nb'],
  ])('reads %s in a file name', (_, written, filename) => {
    const body = form(`Content-Disposition: form-data; name="file"; filename="${written}"\r\n\r\nx`)
    expect(cutForm(body, 'b')[0]).toMatchObject({ filename })
  })

  test('accepts spaces behind a boundary', () => {
    expect(textsOf(Buffer.from(`--b \t\r\n${field('a', '1')}\r\n--b--`))).toEqual([['a', '1']])
  })

  test.each([
    ['no part and no end', '--b\r\n'],
    ['no boundary at its beginning', `x--b\r\n${field('a', '1')}\r\n--b--`],
    ['no end', `--b\r\n${field('a', '1')}\r\n`],
    ['a boundary in a line of text', `--b\r\n${field('a', '1\r\n--bc')}\r\n--b--`],
    ['headers without an end', `--b\r\nContent-Disposition: form-data; name="a"`],
    ['endless headers', `--b\r\nX: ${'x'.repeat(20_000)}\r\n\r\n1\r\n--b--`],
    ['a part without a name', '--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--'],
    ['a part without a disposition', '--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--'],
    ['a part with two names', '--b\r\nContent-Disposition: form-data; name="a"; name="b"\r\n\r\n1\r\n--b--'],
    ['a header twice', `--b\r\nContent-Type: a/b\r\nContent-Type: c/d\r\n${field('a', '1')}\r\n--b--`],
    ['a lone line feed in a header', `--b\r\nX-A:${' '.repeat(7000)}\n\r\n${field('a', '1')}\r\n--b--`],
    ['a form in a part', `--b\r\nContent-Type: multipart/mixed; boundary=c\r\n${field('a', '1')}\r\n--b--`],
    ['a part in base64', `--b\r\nContent-Transfer-Encoding: base64\r\n${field('a', 'MQ==')}\r\n--b--`],
    ['thousands of parts', form(...Array.from({ length: 3000 }, (_, index) => field(`a${index}`, '1'))).toString()],
  ])('%s is refused as a malformed form', (_, body) => {
    expect(() => cutForm(Buffer.from(body), 'b')).toThrow(MalformedForm)
  })

  test('returns parts or refuses, however a form is damaged', () => {
    const parts = fc.array(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.string({ maxLength: 40 })), { maxLength: 8 })
    const damage = fc.tuple(fc.nat(400), fc.uint8Array({ maxLength: 6 }))
    fc.assert(
      fc.property(parts, damage, (fields, [at, bytes]) => {
        const body = form(...(fields.length === 0 ? [field('a', '')] : fields.map(([name, text]) => field(name, text))))
        const position = at % body.length
        const damaged = Buffer.concat([body.subarray(0, position), bytes, body.subarray(position + bytes.length)])
        try {
          const found = cutForm(damaged, 'b')
          expect(found.length).toBeLessThanOrEqual(256)
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedForm)
        }
      }),
    )
  })
})

test.each([
  ['multipart/form-data; boundary=abc', 'abc'],
  ['Multipart/Form-Data; charset=utf-8; boundary="a b"', 'a b'],
  ['application/json', null],
  ['multipart/form-database; boundary=a', null],
])('the boundary of %p is %p', (type, boundary) => {
  expect(boundaryOf(type)).toBe(boundary)
})

test.each(['multipart/form-data', 'multipart/form-data; boundary=', `multipart/form-data; boundary=${'x'.repeat(71)}`])(
  'a form of type %p has no boundary',
  (type) => {
    expect(() => boundaryOf(type)).toThrow(MalformedForm)
  },
)
