import { describe, expect, test } from 'bun:test'

import { MalformedResponse } from './response-head'
import { ResponseParser } from './response-parser'

/** What becomes of the connection after the response, or that the response is refused. */
type Outcome = 'kept' | 'closed' | 'refused'

interface Case {
  /** RFC and section. */
  readonly section: string
  readonly rule: string
  readonly bytes: string
  readonly body?: string
  readonly outcome: Outcome
  /** The connection ends after the bytes. */
  readonly isClosed?: boolean
}

const ok = (headers: string, body = '') => `HTTP/1.1 200 OK\r\n${headers}\r\n\r\n${body}`
const chunks = (body: string) => ok('Transfer-Encoding: chunked', body)

const corpus: readonly Case[] = [
  // Messages
  {
    section: '9112 2.2',
    rule: 'a line feed alone ends a line',
    bytes: 'HTTP/1.1 200 OK\nContent-Length: 1\n\nx',
    body: 'x',
    outcome: 'kept',
  },
  {
    section: '9112 2.2',
    rule: 'a carriage return inside a line begins no other, and spoils that value alone',
    bytes: ok('A: 1\rContent-Length: 5\r\nContent-Length: 0'),
    outcome: 'kept',
  },
  {
    section: '9112 2.2',
    rule: 'white space before the first header is refused',
    bytes: ok(' Content-Length: 0'),
    outcome: 'refused',
  },
  {
    section: '9112 2.3',
    rule: 'the name of the protocol is in capitals',
    bytes: 'http/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
    outcome: 'refused',
  },
  {
    section: '9112 2.3',
    rule: 'a version has one digit on each side',
    bytes: 'HTTP/1.10 200 OK\r\nContent-Length: 0\r\n\r\n',
    outcome: 'refused',
  },
  {
    section: '9110 2.5',
    rule: 'a later minor version is read as the latest known',
    bytes: 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n',
    outcome: 'closed',
  },
  // Status line
  {
    section: '9112 4',
    rule: 'the reason is optional, and so is the space before it',
    bytes: 'HTTP/1.1 204\r\n\r\n',
    outcome: 'kept',
  },
  {
    section: '9112 4',
    rule: 'the reason may hold anything',
    bytes: 'HTTP/1.1 200 \x80: \t!\r\nContent-Length: 0\r\n\r\n',
    outcome: 'kept',
  },
  { section: '9112 4', rule: 'a status has three digits', bytes: 'HTTP/1.1 20 OK\r\n\r\n', outcome: 'refused' },
  {
    section: '9112 4',
    rule: 'a status of four digits is refused',
    bytes: 'HTTP/1.1 2000 OK\r\n\r\n',
    outcome: 'refused',
  },
  // Header fields
  {
    section: '9112 5.1',
    rule: 'white space before the colon is refused',
    bytes: ok('Content-Length : 0'),
    outcome: 'refused',
  },
  {
    section: '9112 5.1',
    rule: 'white space around a value is not part of it',
    bytes: ok('Content-Length: \t 1 \t', 'x'),
    body: 'x',
    outcome: 'kept',
  },
  {
    section: '9112 5.2',
    rule: 'a folded line is refused',
    bytes: ok('A: 1\r\n\tContent-Length: 0'),
    outcome: 'refused',
  },
  {
    section: '9110 5.1',
    rule: 'a name is a token: a space in it is refused',
    bytes: ok('Content Length: 0'),
    outcome: 'refused',
  },
  { section: '9110 5.1', rule: 'an empty name is refused', bytes: ok(': 0'), outcome: 'refused' },
  {
    section: '9110 5.5',
    rule: 'a NUL spoils its value alone: no one is told of it',
    bytes: ok('A: \0\r\nContent-Length: 0'),
    outcome: 'kept',
  },
  { section: '9110 5.5', rule: 'a value may be empty', bytes: ok('A:\r\nContent-Length: 0'), outcome: 'kept' },
  {
    section: '9110 5.3',
    rule: 'an unknown field may be repeated',
    bytes: ok('A: 1\r\nA: 2\r\nContent-Length: 0'),
    outcome: 'kept',
  },
  // Length of the body
  {
    section: '9112 6.3',
    rule: '204 has no body, whatever its length says',
    bytes: 'HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\n',
    outcome: 'kept',
  },
  {
    section: '9112 6.3',
    rule: '304 has no body, whatever its coding says',
    bytes: 'HTTP/1.1 304 No\r\nTransfer-Encoding: chunked\r\n\r\n',
    outcome: 'kept',
  },
  {
    section: '9110 15.2',
    rule: 'interim responses come before the final one',
    bytes: `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Hints\r\nLink: x\r\n\r\n${ok('Content-Length: 1', 'x')}`,
    body: 'x',
    outcome: 'kept',
  },
  {
    section: '9112 6.3',
    rule: 'without length or coding the body lasts until the end',
    bytes: ok('A: 1', 'all of it'),
    body: 'all of it',
    outcome: 'closed',
    isClosed: true,
  },
  { section: '9112 6.2', rule: 'a length is digits alone', bytes: ok('Content-Length: +1', 'x'), outcome: 'refused' },
  { section: '9112 6.2', rule: 'an empty length is refused', bytes: ok('Content-Length:', 'x'), outcome: 'refused' },
  {
    section: '9112 6.2',
    rule: 'a length in hexadecimals is refused',
    bytes: ok('Content-Length: 0x1', 'x'),
    outcome: 'refused',
  },
  {
    section: '9112 6.3',
    rule: 'the same length twice is one',
    bytes: ok('Content-Length: 1, 1', 'x'),
    body: 'x',
    outcome: 'kept',
  },
  {
    section: '9112 6.3',
    rule: 'different lengths are refused',
    bytes: ok('Content-Length: 1\r\nContent-Length: 2', 'xx'),
    outcome: 'refused',
  },
  {
    section: '9112 6.3',
    rule: 'a body that breaks off is refused',
    bytes: ok('Content-Length: 3', 'xx'),
    outcome: 'refused',
    isClosed: true,
  },
  {
    section: '9112 9.3',
    rule: 'bytes behind the body close the connection',
    bytes: ok('Content-Length: 1', 'xHTTP/1.1 200'),
    body: 'x',
    outcome: 'closed',
  },
  // Chunks
  {
    section: '9112 6.1',
    rule: 'chunks count before a length, and the connection closes',
    bytes: ok('Content-Length: 1\r\nTransfer-Encoding: chunked', '2\r\nab\r\n0\r\n\r\n'),
    body: 'ab',
    outcome: 'closed',
  },
  {
    section: '9112 6.1',
    rule: 'an older version with chunks closes, also if it says that it stays',
    bytes: 'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n',
    body: 'x',
    outcome: 'closed',
  },
  {
    section: '9112 7',
    rule: 'the name of the coding is in any case',
    bytes: ok('Transfer-Encoding: Chunked', '0\r\n\r\n'),
    outcome: 'kept',
  },
  {
    section: '9112 6.1',
    rule: 'chunks twice are refused',
    bytes: ok('Transfer-Encoding: chunked, chunked', '0\r\n\r\n'),
    outcome: 'refused',
  },
  {
    section: '9112 6.1',
    rule: 'another coding is refused',
    bytes: ok('Transfer-Encoding: identity', 'x'),
    outcome: 'refused',
  },
  {
    section: '9112 7.1',
    rule: 'a size is hexadecimal, in any case, with leading zeros',
    bytes: chunks('00A\r\n0123456789\r\n0\r\n\r\n'),
    body: '0123456789',
    outcome: 'kept',
  },
  {
    section: '9112 7.1',
    rule: 'the last chunk may have several zeros',
    bytes: chunks('1\r\nx\r\n000\r\n\r\n'),
    body: 'x',
    outcome: 'kept',
  },
  {
    section: '9112 7.1',
    rule: 'a size with a sign is refused',
    bytes: chunks('+1\r\nx\r\n0\r\n\r\n'),
    outcome: 'refused',
  },
  {
    section: '9112 7.1',
    rule: 'a size with a prefix is refused',
    bytes: chunks('0x1\r\nx\r\n0\r\n\r\n'),
    outcome: 'refused',
  },
  {
    section: '9112 7.1',
    rule: 'white space before a size is refused',
    bytes: chunks(' 1\r\nx\r\n0\r\n\r\n'),
    outcome: 'refused',
  },
  {
    section: '9112 7.1',
    rule: 'data without its line end is refused',
    bytes: chunks('1\r\nxy\r\n0\r\n\r\n'),
    outcome: 'refused',
  },
  {
    section: '9112 7.1.1',
    rule: 'extensions are passed over',
    bytes: chunks('1;a=b;c="d"\r\nx\r\n0;e\r\n\r\n'),
    body: 'x',
    outcome: 'kept',
  },
  {
    section: '9112 7.1.2',
    rule: 'trailers are passed over, also those that could frame',
    bytes: chunks('1\r\nx\r\n0\r\nContent-Length: 9\r\n\r\n'),
    body: 'x',
    outcome: 'kept',
  },
  {
    section: '9112 8',
    rule: 'chunks that break off are refused',
    bytes: chunks('1\r\nx\r\n'),
    outcome: 'refused',
    isClosed: true,
  },
  // Connection
  {
    section: '9112 9.6',
    rule: 'close among other options closes',
    bytes: ok('Connection: x, Close\r\nContent-Length: 0'),
    outcome: 'closed',
  },
  {
    section: '9110 7.6.1',
    rule: 'an option that only contains the word does not',
    bytes: ok('Connection: closely\r\nContent-Length: 0'),
    outcome: 'kept',
  },
  {
    section: '9112 9.3',
    rule: 'an older version stays where it says so',
    bytes: 'HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 0\r\n\r\n',
    outcome: 'kept',
  },
  {
    section: '9110 7.8',
    rule: 'an upgrade that was not requested is refused',
    bytes: 'HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n',
    outcome: 'refused',
  },
]

describe('RFC 9110 and RFC 9112', () => {
  test.each(corpus)('$section: $rule', ({ bytes, body = '', outcome, isClosed = false }) => {
    expect(read(bytes, isClosed)).toEqual(outcome === 'refused' ? { outcome } : { body, outcome })
  })
})

function read(bytes: string, isClosed: boolean): { readonly body?: string; readonly outcome: Outcome | 'waiting' } {
  let body = ''
  let outcome: Outcome | 'waiting' = 'waiting'
  const parser = new ResponseParser({
    head: () => {},
    body: (piece) => void (body += Buffer.from(piece).toString('latin1')),
    end: (isReusable) => void (outcome = isReusable ? 'kept' : 'closed'),
  })
  try {
    parser.push(Buffer.from(bytes, 'latin1'))
    if (isClosed) parser.close()
  } catch (error) {
    if (error instanceof MalformedResponse) return { outcome: 'refused' }
    throw error
  }
  return { body, outcome }
}
