import { z } from 'zod'

import type { Authorize, Target } from '../provider'
import { GoogleTokens } from './google-token'

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
  const account = readKey(key)
  if (account === null) throw new TypeError('The key must be the JSON document of a service account')
  const { client_email: email, private_key: privateKey, private_key_id: privateKeyId } = account
  const token = await tokens.token({ email, privateKey, privateKeyId }, tokenUrlOf(baseUrl), tools)
  return { headers: { authorization: `Bearer ${token}` } }
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
