import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'

import { MalformedResponse } from './response-head'
import { ResponseParser } from './response-parser'

interface Seen {
  status: number
  headers: Record<string, string | null>
  body: string
  end: 'kept' | 'closed' | null
}

/** Reads a response from the parts it arrived in; `isClosed`: the connection ended after them. */
function read(parts: readonly Buffer[], { asked = ['content-type'], isClosed = false } = {}): Seen {
  const seen: Seen = { status: 0, headers: {}, body: '', end: null }
  const parser = new ResponseParser({
    head({ status, headers }) {
      seen.status = status
      for (const name of asked) seen.headers[name] = headers.get(name)
    },
    body: (bytes) => void (seen.body += Buffer.from(bytes).toString('latin1')),
    end: (isReusable) => void (seen.end = isReusable ? 'kept' : 'closed'),
  })
  for (const part of parts) parser.push(Buffer.from(part))
  if (isClosed) parser.close()
  return seen
}

const whole = (text: string, options?: Parameters<typeof read>[1]) => read([Buffer.from(text, 'latin1')], options)

const json = 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
const chunked =
  'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\nA;note=x\r\n0123456789\r\n0\r\nTrail: 1\r\n\r\n'

describe('a response', () => {
  test.each([
    ['counted', json, '{}', 'kept'],
    ['in chunks, with extensions and a trailer', chunked, 'abcd0123456789', 'kept'],
    ['without a body', 'HTTP/1.1 204 No Content\r\n\r\n', '', 'kept'],
    ['that is empty', 'HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n', '', 'kept'],
    ['that wants to be the last', json.replace('200 OK', '200 OK\r\nConnection: Close'), '{}', 'closed'],
    ['of the older version', json.replace('1.1', '1.0'), '{}', 'closed'],
    [
      'of the older version that stays',
      json.replace('1.1 200 OK', '1.0 200 OK\r\nConnection: Keep-Alive'),
      '{}',
      'kept',
    ],
    ['with more behind it than was asked for', `${json}HTTP/1.1`, '{}', 'closed'],
    ['behind early hints', `HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n${json}`, '{}', 'kept'],
    ['whose lines end without a carriage return', json.replaceAll('\r', ''), '{}', 'kept'],
    ['without words behind its status', json.replace('200 OK', '200'), '{}', 'kept'],
    ['whose length is told twice', json.replace('Length: 2', 'Length: 2\r\ncontent-length: 2'), '{}', 'kept'],
    [
      'that is counted and chunked at once: the chunks count, and nothing more is believed',
      chunked.replace('\r\n\r\n', '\r\nContent-Length: 3\r\n\r\n'),
      'abcd0123456789',
      'closed',
    ],
  ] as const)('%s', (_, text, body, end) => {
    const seen = whole(text)
    expect([seen.body, seen.end]).toEqual([body, end])
  })

  test('a response without a length lasts until the connection ends', () => {
    const text = 'HTTP/1.1 200 OK\r\n\r\nall of it'
    expect(whole(text).end).toBeNull()
    expect(whole(text, { isClosed: true })).toMatchObject({ body: 'all of it', end: 'closed' })
  })

  test('a response has case-insensitive headers, repeated ones joined in one line, and their bytes as Latin-1', () => {
    const text = 'HTTP/1.1 429 Slow\r\nRETRY-AFTER:7\r\nX-A: 1 \r\nx-a:\t2\r\nX-B: caf\xe9\r\ncontent-length: 0\r\n\r\n'
    expect(whole(text, { asked: ['retry-after', 'X-A', 'x-b', 'x-c'] })).toMatchObject({
      status: 429,
      headers: { 'retry-after': '7', 'X-A': '1, 2', 'x-b': 'café', 'x-c': null },
    })
  })

  test.each([
    ['something other than HTTP', 'hello\r\n\r\n'],
    ['another version', 'HTTP/2 200\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['another protocol', 'HTTP/1.1 101 Switching\r\nUpgrade: x\r\n\r\n'],
    ['a line without a colon', 'HTTP/1.1 200 OK\r\nhello\r\n\r\n'],
    ['a space before the colon', 'HTTP/1.1 200 OK\r\nContent-Length : 2\r\n\r\n{}'],
    ['a folded line', 'HTTP/1.1 200 OK\r\nA: 1\r\n b\r\n\r\n'],
    ['two lengths', json.replace('Length: 2', 'Length: 2\r\nContent-Length: 3')],
    ['a length that is not a number', json.replace('Length: 2', 'Length: -2')],
    ['a length beyond all numbers', json.replace('Length: 2', 'Length: 9999999999999999')],
    ['an unknown coding of the transfer', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n'],
    ['a chunk without a size', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n'],
    ['a chunk whose size is not a number', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4x\r\nabcd\r\n'],
    ['a chunk beyond all numbers', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffff\r\n'],
    ['a chunk that is longer than it says', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabcd\r\n'],
    ['an endless head', `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(200_000)}`],
    ['an endless line', `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}`],
    ['an endless trailer', `${chunked.slice(0, -2)}${'a: b\r\n'.repeat(40_000)}`],
  ])('a response with %s is refused', (_, text) => {
    expect(() => whole(text)).toThrow(MalformedResponse)
  })

  test.each([json.slice(0, -1), json.slice(0, 30), chunked.slice(0, -2), ''])(
    'a response that breaks off is refused: %j',
    (text) => {
      expect(() => whole(text, { isClosed: true })).toThrow(MalformedResponse)
    },
  )

  test('a response is read the same however the network splits it', () => {
    const chunk = fc.string({ minLength: 1, maxLength: 40, unit: 'binary-ascii' })
    const aResponse = fc.oneof(
      fc.constant(json),
      fc.array(chunk, { maxLength: 6 }).map((chunks) => {
        const body = chunks.map((text) => `${text.length.toString(16)}\r\n${text}\r\n`).join('')
        return `HTTP/1.1 103 Wait\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}0\r\n\r\n`
      }),
    )
    fc.assert(
      fc.property(aResponse, fc.array(fc.nat(400), { maxLength: 12 }), (text, cuts) => {
        const bytes = Buffer.from(text, 'latin1')
        const places = [...new Set([0, ...cuts.filter((cut) => cut < bytes.length), bytes.length])].sort(
          (a, b) => a - b,
        )
        const parts = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
        expect(read(parts)).toEqual(whole(text))
      }),
    )
  })

  test('any bytes are either read or refused', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        'HTTP/1.1 200 OK\r\n',
        'Content-Length: 3\r\n',
        'Transfer-Encoding: chunked\r\n',
        '\r\n',
        '\n',
        '3\r\n',
        '0\r\n',
        'abc',
      ),
      fc.string({ unit: 'binary-ascii', maxLength: 8 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        try {
          read(
            pieces.map((text) => Buffer.from(text, 'latin1')),
            { isClosed: true },
          )
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedResponse)
        }
      }),
    )
  })
})
