import { expect, test } from 'bun:test'

import { isDirectLocal } from './direct-local'

const asked = (peer: string, headers: Record<string, string>, trustedProxies: readonly string[] = []) =>
  isDirectLocal({ headers: new Headers(headers) }, peer, { trustedProxies })

test.each([
  ['127.0.0.1', { host: 'localhost:3000' }],
  ['127.0.0.1', { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' }],
  ['::1', { host: '[::1]:3000' }],
  ['::ffff:127.0.0.1', { host: 'LOCALHOST:3000', origin: 'http://localhost:3000' }],
])('a request from %s with %j is local', (peer, headers) => expect(asked(peer, headers)).toBe(true))

test.each([
  ['192.0.2.1', { host: 'localhost:3000' }],
  ['127.0.0.1', {}],
  ['127.0.0.1', { host: 'evil.example' }],
  ['127.0.0.1', { host: 'localhost.evil.example' }],
  ['127.0.0.1', { host: 'localhost:3000', 'x-forwarded-for': '203.0.113.9' }],
  ['127.0.0.1', { host: 'localhost:3000', forwarded: 'for=203.0.113.9' }],
  ['127.0.0.1', { host: 'localhost:3000', via: '1.1 caddy' }],
  ['127.0.0.1', { host: 'localhost:3000', 'x-forwarded-proto': 'https' }],
  ['127.0.0.1', { host: 'localhost:3000', origin: 'http://evil.example' }],
  ['127.0.0.1', { host: 'localhost:3000', origin: 'null' }],
])('a request from %s with %j is not local', (peer, headers) => expect(asked(peer, headers)).toBe(false))

test('a peer that is a trusted proxy is not local, whatever its request looks like', () => {
  const headers = { host: '127.0.0.1:3000' }
  expect(asked('127.0.0.1', headers, ['127.0.0.1'])).toBe(false)
  expect(asked('127.0.0.1', headers, ['10.0.0.0/8'])).toBe(true)
})
