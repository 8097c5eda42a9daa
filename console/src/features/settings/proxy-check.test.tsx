import { expect, test } from 'bun:test'
import { screen } from '@testing-library/react'

import { renderConsole } from '../../../test/render'
import { serve } from '../../../test/server'
import { ProxyCheck } from './proxy-check'

const seen = {
  peer: '10.0.0.1',
  headers: [{ name: 'X-Forwarded-For', value: '198.51.100.7' }],
  address: '10.0.0.1',
  address_if_enabled: '198.51.100.7',
  has_trusted_proxies: true,
  is_peer_trusted: true,
}

test.each([
  [{}, /10\.0\.0\.1, a trusted proxy/],
  [{ is_peer_trusted: false }, /10\.0\.0\.1, which is not in TRUSTED_PROXIES/],
  [{ is_peer_trusted: false, has_trusted_proxies: false }, /TRUSTED_PROXIES is empty/],
])('a proxy that is %p is recognized', async (change, sentence) => {
  serve({ 'GET /api/option/proxy': () => ({ ...seen, ...change }) })
  await renderConsole(<ProxyCheck />, { user: { role: 100 } })
  expect(await screen.findByText(sentence)).toBeTruthy()
  expect(screen.getByText('X-Forwarded-For').nextElementSibling?.textContent).toBe('198.51.100.7')
  expect(screen.getByText('Your address').nextElementSibling?.textContent).toBe('10.0.0.1')
  expect(screen.getByText('Your address with the switch on').nextElementSibling?.textContent).toBe('198.51.100.7')
})
