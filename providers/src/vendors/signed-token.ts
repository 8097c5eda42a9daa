import { createHmac } from 'node:crypto'

import type { JsonObject } from '@tollgate/dialects'

/** The beginning of a JSON Web Token: what is signed. https://www.rfc-editor.org/rfc/rfc7519 */
export const unsignedToken = (header: JsonObject, claims: JsonObject): string =>
  `${encodeSegment(header)}.${encodeSegment(claims)}`

/** A JSON Web Token, signed with HMAC and SHA-256. */
export function hs256Token(header: JsonObject, claims: JsonObject, secret: string | Uint8Array): string {
  const signed = unsignedToken(header, claims)
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`
}

const encodeSegment = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64url')
