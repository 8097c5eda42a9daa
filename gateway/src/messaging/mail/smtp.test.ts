import { expect, test } from 'bun:test'

import { defaultOptions } from '@tollgate/contract'

import { connectionOf } from './smtp'

const connection = (fields: Partial<Parameters<typeof connectionOf>[0]>) =>
  connectionOf({ ...defaultOptions, SMTPServer: 'mail.example.com', ...fields })

test('a password requires an encrypted connection to a server with a valid certificate', () => {
  const signedIn = { SMTPAccount: 'gate', SMTPToken: 'secret' }
  expect(connection(signedIn)).toMatchObject({
    secure: false,
    requireTLS: true,
    tls: { rejectUnauthorized: true },
    auth: { user: 'gate', pass: 'secret' },
  })
  expect(connection({})).toMatchObject({ requireTLS: false, tls: { rejectUnauthorized: true } })
  expect(connection({})).not.toHaveProperty('auth')
  for (const SMTPServer of ['localhost', '127.0.0.1', '::1']) {
    expect(connection({ ...signedIn, SMTPServer })).toMatchObject({
      requireTLS: false,
      tls: { rejectUnauthorized: false },
    })
  }
  expect(connection({ ...signedIn, SMTPServer: 'localhost.example.com' })).toMatchObject({ requireTLS: true })
})

test('encryption from the start follows from port 465 or its switch', () => {
  expect([connection({ SMTPPort: 465 }).secure, connection({ SMTPSSLEnabled: true }).secure]).toEqual([true, true])
  expect(connection({ SMTPPort: 587 }).secure).toBe(false)
})
