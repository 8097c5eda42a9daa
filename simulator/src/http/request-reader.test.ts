import { expect, test } from 'bun:test'
import * as fc from 'fast-check'

import { RequestReader, WireError } from './request-reader'

const requestText = (body: string) =>
  `POST /a?b=1 HTTP/1.1\r\nHost: x\r\nX-Name:  value \r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`

test('reads the same requests wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { minLength: 1, maxLength: 4 }), fc.array(fc.nat(50)), (bodies, cuts) => {
      const bytes = Buffer.from(bodies.map(requestText).join(''))
      const reader = new RequestReader()
      const read: string[] = []
      let at = 0
      for (const cut of [...cuts, bytes.length]) {
        reader.push(bytes.subarray(at, at + cut))
        at = Math.min(at + cut, bytes.length)
        for (let request = reader.next(); request; request = reader.next()) read.push(request.body.toString())
      }
      expect(read).toEqual(bodies.map((body) => Buffer.from(body).toString()))
    }),
  )
})

test('lower-cases names and trims values', () => {
  const reader = new RequestReader()
  reader.push(Buffer.from(requestText('')))
  expect(reader.next()).toMatchObject({ method: 'POST', target: '/a?b=1', headers: { 'x-name': 'value' } })
})

test.each(['hello\r\n\r\n', 'GET / HTTP/1.1\r\nno colon\r\n\r\n', 'GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n'])(
  'refuses %j',
  (text) => {
    const reader = new RequestReader()
    reader.push(Buffer.from(text))
    expect(() => reader.next()).toThrow(WireError)
  },
)

test('hears that a client waits for leave to send its body', () => {
  const reader = new RequestReader()
  reader.push(Buffer.from('POST / HTTP/1.1\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n'))
  expect([reader.next(), reader.isAwaitingContinue]).toEqual([null, true])
  reader.push(Buffer.from('ok'))
  expect(reader.next()?.body.toString()).toBe('ok')
})
