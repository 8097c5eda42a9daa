import { expect, test } from 'bun:test'

import { deviceName } from './device-name'

const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36'

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'Chrome · Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/141.0.0.0`, 'Edge · Windows'],
  [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${chrome}`, 'Chrome · Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Safari · iPhone',
  ],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · macOS'],
  ['curl/8.9.1', 'curl/8.9.1'],
  ['python-requests/2.32.3', 'python-requests/2.32.3'],
  ['Go-http-client/1.1', 'Go-http-client/1.1'],
  ['okhttp/4.12.0 (evil.example)', 'okhttp/4.12.0'],
  ['Your account is locked, visit evil.example', ''],
  ['evil.example/1', ''],
  ['', ''],
])('the User-Agent %p is named %p', (userAgent, name) => {
  expect(deviceName(userAgent)).toBe(name)
})
