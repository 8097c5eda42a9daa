import { existsSync } from 'node:fs'

import { StartError } from '../config/start-error'

const fileParameters = ['sslrootcert', 'sslcert', 'sslkey'] as const

/**
 * Returns the connection string with libpq's meaning of its TLS parameters: `sslmode=require` encrypts, `verify-ca` checks the certificate
 * too, `verify-full` also the host. The driver by itself takes all of them for `verify-full`.
 * https://www.postgresql.org/docs/current/libpq-ssl.html#LIBPQ-SSL-PROTECTION
 * @throws StartError when a file it names does not exist.
 */
export function withLibpqTls(text: string): string {
  const url = new URL(text)
  const parameters = url.searchParams
  if (!parameters.has('sslmode')) {
    // libpq's default would encrypt where the server can. A certificate that is named is meant to be used.
    if (!parameters.has('sslrootcert')) return text
    parameters.set('sslmode', 'verify-full')
  }
  // The authorities the runtime trusts anyway.
  if (parameters.get('sslrootcert') === 'system') {
    parameters.delete('sslrootcert')
    parameters.set('sslmode', 'verify-full')
  }
  for (const name of fileParameters) {
    const path = parameters.get(name)
    if (path !== null && !existsSync(path))
      throw new StartError(`DATABASE_URL names a file ${name}=${path} that does not exist.`)
  }
  parameters.set('uselibpqcompat', 'true')
  return url.href
}
