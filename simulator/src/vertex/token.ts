import { whole, type Answer } from '../answer'
import type { Call } from '../dialect'
import { objectOr, parseJson, textOr, type JsonObject } from '../json'

const grant = 'urn:ietf:params:oauth:grant-type:jwt-bearer'

export const isTokenCall = ({ method, path }: Call): boolean => method === 'POST' && path.endsWith('/token')

/** Gives a token for the assertion of a service account; it names the account. The signature is not checked. */
export function token({ body, headers }: Call): Answer {
  const form = headers['content-type']?.includes('json')
    ? objectOr(parseJson(body))
    : Object.fromEntries(new URLSearchParams(body))
  if (form['grant_type'] !== grant) return refused('unsupported_grant_type', 'Invalid grant_type')
  const claims = claimsIn(textOr(form['assertion'], ''))
  const missing = ['iss', 'scope', 'aud', 'iat', 'exp'].find((name) => claims[name] === undefined)
  if (missing) return refused('invalid_grant', `Required claim is missing: ${missing}`)
  return whole({ access_token: `ya29.${textOr(claims['iss'], '')}`, expires_in: 3599, token_type: 'Bearer' })
}

const refused = (error: string, description: string): Answer =>
  whole({ error, error_description: description }, null, null, 400)

function claimsIn(assertion: string): JsonObject {
  const [, claims = '', signature = ''] = assertion.split('.')
  return signature === '' ? {} : objectOr(parseJson(Buffer.from(claims, 'base64url').toString()))
}
