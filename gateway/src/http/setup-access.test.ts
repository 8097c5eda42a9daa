import { expect, test } from 'bun:test'

import { isFromElsewhere, isLocalCaller } from './setup-access'

const headersOf = (headers: Record<string, string>) => ({ headers: new Headers(headers) })
const direct = { host: 'localhost:3000' }

test.each([
  ['127.0.0.1', direct],
  ['127.0.0.1', { host: '127.0.0.1:3000', origin: 'http://127.0.0.1:3000' }],
  ['::1', { host: '[::1]:3000', connection: 'keep-alive' }],
  ['::ffff:127.0.0.1', { host: 'LOCALHOST:3000', referer: 'http://localhost:3000/setup' }],
])('a request from %s with %j is made at this machine', (peer, headers) => {
  expect(isLocalCaller(headersOf(headers), peer)).toBe(true)
  expect(isFromElsewhere(headersOf(headers))).toBe(false)
})

test.each([
  [{ host: 'gate.example.com' }],
  [{ host: 'localhost.evil.example' }],
  [{ host: '127.0.0.1.evil.example' }],
  [{ host: '192.168.1.5:3000' }],
  [{ ...direct, 'x-forwarded-for': '127.0.0.1' }],
  [{ ...direct, 'x-forwarded-proto': 'https' }],
  [{ ...direct, 'x-forwarded-server': 'gate' }],
  [{ ...direct, 'x-real-ip': '127.0.0.1' }],
  [{ ...direct, forwarded: 'for=203.0.113.9' }],
  [{ ...direct, via: '1.1 caddy' }],
  [{ ...direct, origin: 'http://gate.example.com' }],
  [{ ...direct, origin: 'null' }],
  [{ ...direct, referer: 'http://gate.example.com/setup' }],
])('a request over loopback with %j comes from elsewhere', (headers) => {
  expect(isFromElsewhere(headersOf(headers))).toBe(true)
  expect(isLocalCaller(headersOf(headers), '127.0.0.1')).toBe(false)
})

test.each([
  ['192.0.2.1', direct, 'from another machine'],
  ['', direct, 'from an unknown peer'],
  ['127.0.0.1', {}, 'without a host'],
  ['127.0.0.1', { ...direct, connection: 'close' }, 'that closes its connection, as minimal proxies do'],
  ['127.0.0.1', { ...direct, connection: 'TE, Close' }, 'that closes its connection among other options'],
])('a request from %s with %j, %s, is not made at this machine, and shows nothing of a proxy', (peer, headers) => {
  expect(isLocalCaller(headersOf(headers), peer)).toBe(false)
  expect(isFromElsewhere(headersOf(headers))).toBe(false)
})
