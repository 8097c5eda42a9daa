import type { Config } from '../config'
import type { Database } from '../store/database'

const loopback = new Set(['127.0.0.1', '::1', 'localhost'])
const codeBytes = 9

/** A one-time code for the first visitor, where strangers can reach the gateway before it is set up. Else empty. */
export async function makeSetupCode(config: Config, database: Database): Promise<string> {
  if (loopback.has(config.host) || config.host.startsWith('127.')) return ''
  const setup = await database.query.selectFrom('setups').select('id').executeTakeFirst()
  if (setup) return ''
  return Buffer.from(crypto.getRandomValues(new Uint8Array(codeBytes))).toString('base64url')
}
