import { expect, test } from 'bun:test'

import { serverAddress } from './use-server-address'

test.each([
  ['https://api.example.com/', 'https://console.example.com', 'https://api.example.com'],
  ['https://example.com/gateway', 'http://10.0.0.5:3000', 'https://example.com/gateway'],
  ['', 'https://console.example.com', 'https://console.example.com'],
  ['http://localhost:3000', 'https://console.example.com', 'https://console.example.com'],
  ['http://127.0.0.1:3000', 'http://127.0.0.1:4000', 'http://127.0.0.1:4000'],
  ['http://[::1]:3000', 'https://console.example.com', 'https://console.example.com'],
  ['no address', 'https://console.example.com', 'https://console.example.com'],
])('the setting %p, seen at %p, gives the address %p', (configured, origin, expected) => {
  expect(serverAddress(configured, origin)).toBe(expected)
})
