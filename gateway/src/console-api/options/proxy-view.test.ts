import { expect, test } from 'bun:test'

import { createWorld } from '../../../test/world'
import { proxyView } from './options'

const headers = { 'x-forwarded-for': '198.51.100.7, 10.0.0.2', 'x-real-ip': '198.51.100.7', accept: '*/*' }
const request = new Request('http://gate.test/api/option/proxy', { headers })

test.each([
  ['10.0.0.1', '10.0.0.0/8', { address_if_enabled: '198.51.100.7', has_trusted_proxies: true, is_peer_trusted: true }],
  [
    '203.0.113.9',
    '10.0.0.0/8',
    { address_if_enabled: '203.0.113.9', has_trusted_proxies: true, is_peer_trusted: false },
  ],
  ['10.0.0.1', '', { address_if_enabled: '10.0.0.1', has_trusted_proxies: false, is_peer_trusted: false }],
])('the proxy %s is seen with TRUSTED_PROXIES=%s', async (peer, trusted, expected) => {
  await using world = await createWorld({ environment: { TRUSTED_PROXIES: trusted } })
  expect(proxyView({ ctx: world.ctx, request, peer, clientIp: peer })).toEqual({
    peer,
    headers: [
      { name: 'X-Forwarded-For', value: '198.51.100.7, 10.0.0.2' },
      { name: 'X-Real-IP', value: '198.51.100.7' },
    ],
    address: peer,
    ...expected,
  })
})
