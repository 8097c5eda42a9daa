import { expect, test } from 'bun:test'

import { StartError } from '../start-error'
import { withLibpqTls } from './postgres-url'

const base = 'postgres://u:p@db/x'

test('a URL without TLS parameters stays as it is', () => {
  expect(withLibpqTls(base)).toBe(base)
  expect(withLibpqTls(`${base}?options=-c%20a=b`)).toBe(`${base}?options=-c%20a=b`)
})

test('the authorities of the system are those of the runtime', () => {
  expect(withLibpqTls(`${base}?sslrootcert=system`)).toBe(`${base}?sslmode=verify-full&uselibpqcompat=true`)
})

test('a certificate file that is not there is a sentence', () => {
  expect(() => withLibpqTls(`${base}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`)).toThrow(StartError)
})
