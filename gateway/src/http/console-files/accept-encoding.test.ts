import { describe, expect, test } from 'bun:test'

import { chooseEncoding, type Encoding } from './accept-encoding'

const both: Encoding[] = ['br', 'gzip']

describe('the encoding of a file', () => {
  test.each<[string | null, Encoding[], Encoding | null]>([
    [null, both, null],
    ['', both, null],
    ['gzip, deflate, br, zstd', both, 'br'],
    ['gzip, deflate', both, 'gzip'],
    ['GZIP', both, 'gzip'],
    ['x-gzip', both, 'gzip'],
    ['br', ['gzip'], null],
    ['br', [], null],
    ['*', both, 'br'],
    ['br;q=0, *', both, 'gzip'],
    ['br;q=0.2, gzip;q=0.8', both, 'gzip'],
    ['br; q=0.8 , gzip;q=0.8', both, 'br'],
    ['br;q=0, gzip;q=0', both, null],
    ['*;q=0', both, null],
    ['identity, br;q=0.5', both, null],
    ['identity;q=0.5, br;q=1', both, 'br'],
    ['deflate', both, null],
    ['br;q=nonsense, gzip', both, 'gzip'],
    ['br;q=7, gzip', both, 'gzip'],
    [',;,', both, null],
  ])('accepted %p, kept in %p: %p', (accepted, available, chosen) => {
    expect(chooseEncoding(accepted, available)).toBe(chosen)
  })
})
