import { expect, test } from 'bun:test'

import { StartError } from '../config/start-error'
import { withLibpqTls } from './postgres'

const base = 'postgres://u:p@db/x'

test('a URL without TLS parameters is unchanged', () => {
  expect(withLibpqTls(base)).toBe(base)
  expect(withLibpqTls(`${base}?options=-c%20a=b`)).toBe(`${base}?options=-c%20a=b`)
})

test('the system’s authorities are those of the runtime', () => {
  expect(withLibpqTls(`${base}?sslrootcert=system`)).toBe(`${base}?sslmode=verify-full&uselibpqcompat=true`)
})

test('a missing certificate file is reported in a sentence', () => {
  expect(() => withLibpqTls(`${base}?sslmode=verify-full&sslrootcert=/nowhere/ca.pem`)).toThrow(StartError)
})
