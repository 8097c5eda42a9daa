import { z } from 'zod'

import type { Authorize, Provider, Target } from '../provider'
import { GoogleTokens, type ServiceAccount } from './google-token'

const ServiceAccountKey = z.object({
  project_id: z.string().min(1),
  client_email: z.string().min(1),
  private_key: z.string().min(1),
  private_key_id: z.string().default(''),
})

const googleTokenUrl = 'https://oauth2.googleapis.com/token'
const tokens = new GoogleTokens()

/** The project of the key; empty when it is malformed, which `authorizeVertex` then says. */
export const projectOf = ({ key }: Pick<Target, 'key'>): string => readKey(key)?.project_id ?? ''

/** A token for the service account of the key. */
export const authorizeVertex: Authorize = async (_request, { key, baseUrl }, tools) => {
  const account = accountOf(key)
  if (account === null) throw new TypeError('The key must be the JSON document of a service account')
  const token = await tokens.token(account, tokenUrlOf(baseUrl), tools)
  return { headers: { authorization: `Bearer ${token}` } }
}

/** Forgets the token that Google refused: a key's tokens end early when its rights change. */
export const renewVertex: NonNullable<Provider['renew']> = ({ key, baseUrl }, { headers }, nowMs) => {
  const account = accountOf(key)
  const token = headers?.['authorization']?.replace('Bearer ', '')
  return account !== null && token !== undefined && tokens.forget(account, tokenUrlOf(baseUrl), token, nowMs)
}

function accountOf(key: string): ServiceAccount | null {
  const read = readKey(key)
  if (read === null) return null
  return { email: read.client_email, privateKey: read.private_key, privateKeyId: read.private_key_id }
}

/**
 * Google's own, whatever the key document says: who can store a key must not choose where the gateway calls. A channel with an
 * address that is not Google's, such as a simulator, gives tokens itself at `{address}/token`.
 */
function tokenUrlOf(baseUrl: string): string {
  const host = /^https:\/\/([^/?#]+)/.exec(baseUrl)?.[1] ?? ''
  return host.endsWith('.googleapis.com') ? googleTokenUrl : `${baseUrl}/token`
}

function readKey(key: string): z.infer<typeof ServiceAccountKey> | null {
  try {
    return ServiceAccountKey.safeParse(JSON.parse(key)).data ?? null
  } catch {
    return null
  }
}
