import { describe, expect, test } from 'bun:test'

import { limitAddress } from '../../accounts/callers/limit-address'
import { clientAddress, isSecure, type ProxyOptions } from './client-address'

const trusted = ['10.0.0.0/8', 'fd00::/8']
const nginx: ProxyOptions = { ReverseProxyEnabled: true, ReverseProxyProvider: 'nginx' }
const cloudflare: ProxyOptions = { ReverseProxyEnabled: true, ReverseProxyProvider: 'cloudflare' }
const direct: ProxyOptions = { ReverseProxyEnabled: false, ReverseProxyProvider: 'nginx' }

const client = (peer: string, headers: Record<string, string>, options: ProxyOptions) =>
  clientAddress(new Request('http://gateway.test/', { headers }), peer, trusted, options)

describe('the address of a client', () => {
  test.each<[string, string, Record<string, string>, ProxyOptions, string]>([
    ['is the peer without a proxy', '203.0.113.5', {}, nginx, '203.0.113.5'],
    [
      'ignores headers of a peer that is not trusted',
      '203.0.113.5',
      { 'x-real-ip': '198.51.100.1' },
      nginx,
      '203.0.113.5',
    ],
    ['ignores headers unless the operator says so', '10.0.0.1', { 'x-real-ip': '198.51.100.1' }, direct, '10.0.0.1'],
    ['is X-Real-IP behind nginx', '10.0.0.1', { 'x-real-ip': '198.51.100.1' }, nginx, '198.51.100.1'],
    [
      'is the right-most hop that is not trusted',
      '10.0.0.1',
      { 'x-forwarded-for': '1.1.1.1, 198.51.100.1, 10.0.0.9' },
      nginx,
      '198.51.100.1',
    ],
    [
      'is not what the client wrote into X-Real-IP where a proxy appends to X-Forwarded-For',
      '10.0.0.1',
      { 'x-forwarded-for': '203.0.113.66', 'x-real-ip': '10.9.8.7' },
      nginx,
      '203.0.113.66',
    ],
    [
      'stops at a hop that is not an address',
      '10.0.0.1',
      { 'x-forwarded-for': '1.1.1.1, junk, 10.0.0.9' },
      nginx,
      '10.0.0.1',
    ],
    ['is the peer when all hops are trusted', '10.0.0.1', { 'x-forwarded-for': '10.0.0.3' }, nginx, '10.0.0.1'],
    [
      'is CF-Connecting-IP behind Cloudflare',
      '10.0.0.1',
      { 'cf-connecting-ip': '198.51.100.7' },
      cloudflare,
      '198.51.100.7',
    ],
    ['reads no nginx header behind Cloudflare', '10.0.0.1', { 'x-real-ip': '198.51.100.7' }, cloudflare, '10.0.0.1'],
    ['does not believe junk', '10.0.0.1', { 'x-real-ip': '<script>' }, nginx, '10.0.0.1'],
    ['writes a mapped IPv4 address as IPv4', '::ffff:203.0.113.5', {}, nginx, '203.0.113.5'],
    ['trusts a mapped proxy', '::ffff:10.0.0.1', { 'x-real-ip': '198.51.100.1' }, nginx, '198.51.100.1'],
    ['knows IPv6', 'fd00::1', { 'x-real-ip': '2001:0db8::0001' }, nginx, '2001:db8::1'],
    ['takes no octal or short notation', '10.0.0.1', { 'x-real-ip': '0177.1' }, nginx, '10.0.0.1'],
  ])('the address of a client %s', (_name, peer, headers, options, expected) => {
    expect(client(peer, headers, options)).toBe(expected)
  })

  test('a single address may be trusted, too', () => {
    const request = new Request('http://gateway.test/', { headers: { 'x-real-ip': '198.51.100.1' } })
    expect(clientAddress(request, '127.0.0.1', ['127.0.0.1'], nginx)).toBe('198.51.100.1')
  })
})

describe('TLS', () => {
  test('TLS is detected from what a browser says about its page', () => {
    for (const name of ['origin', 'referer']) {
      const from = (page: string) => new Request('http://gateway.test/', { headers: { [name]: page } })
      expect(isSecure(from('https://gateway.test/'), '203.0.113.5', [])).toBe(true)
      expect(isSecure(from('http://gateway.test/'), '203.0.113.5', [])).toBe(false)
    }
  })

  const over = (peer: string, proto: string) =>
    isSecure(new Request('http://gateway.test/', { headers: { 'x-forwarded-proto': proto } }), peer, trusted)

  test('the header for TLS is trusted from a trusted proxy only', () => {
    expect(over('10.0.0.1', 'https')).toBe(true)
    expect(over('10.0.0.1', 'http')).toBe(false)
    expect(over('203.0.113.5', 'https')).toBe(false)
    expect(isSecure(new Request('https://gateway.test/'), '203.0.113.5', [])).toBe(true)
  })
})

describe('addresses that share a limit', () => {
  test.each([
    ['203.0.113.5', '203.0.113.5'],
    ['2001:db8:1:2:aaaa::1', '2001:db8:1:2::/64'],
    ['', ''],
  ])('limits count the address %p as %p', (address, expected) => {
    expect(limitAddress(address)).toBe(expected)
  })
})
