import type { JsonObject } from '../../core/json'
import { textOf } from '../../core/neutral/read'

const between = '__sig_'

/**
 * A call's id as this dialect allows it: letters, digits, `_` and `-`. A signature that another vendor wants back with
 * the call has no place of its own here, so it rides in the id: clients return ids as they came.
 */
export function writeToolId(id: string, signature = ''): string {
  const safe = id.replaceAll(/[^\w-]/gu, (letter) => `_${letter.codePointAt(0)?.toString(16) ?? ''}_`)
  return signature === '' ? safe : `${safe}${between}${Buffer.from(signature, 'utf8').toString('base64url')}`
}

/** The id and the signature that rides in it. */
export function readToolId(wire: string): { readonly id: string; readonly signature?: string } {
  const at = wire.lastIndexOf(between)
  if (at <= 0) return { id: wire }
  const signature = Buffer.from(wire.slice(at + between.length), 'base64url').toString('utf8')
  return signature === '' ? { id: wire } : { id: wire.slice(0, at), signature }
}

/** The call that a result answers. */
export const resultId = (block: JsonObject): string => readToolId(textOf(block['tool_use_id'])).id
