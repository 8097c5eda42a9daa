import { Buffer } from 'node:buffer'

import type { CallTexts } from './log-texts'

/** The most characters of each text that are kept. */
const longestText = 32 * 1024

/** Texts as they wait: bytes of their own, so that their size is known and no request they were cut from lives on with them. */
export interface HeldTexts {
  readonly requestId: string
  readonly createdAt: number
  readonly texts: readonly [context: Buffer, input: Buffer, output: Buffer]
  readonly bytes: number
}

export function heldTexts({ requestId, createdAt, context, input, output }: CallTexts): HeldTexts {
  const texts = [ownBytes(context), ownBytes(input), ownBytes(output)] as const
  return { requestId, createdAt, texts, bytes: texts.reduce((sum, { byteLength }) => sum + byteLength, 0) }
}

export function textsRow({ requestId, createdAt, texts: [context, input, output] }: HeldTexts) {
  return {
    request_id: requestId,
    created_at: createdAt,
    context: context.toString(),
    input: input.toString(),
    output: output.toString(),
  }
}

/** PostgreSQL takes no NUL in a text. */
function ownBytes(text: string): Buffer {
  const cut = text.length > longestText ? text.slice(0, longestText) : text
  return Buffer.from(cut.includes('\0') ? cut.replaceAll('\0', '') : cut)
}

/** As much of the texts, a line each, as is kept. */
export function joinedTexts(texts: readonly string[]): string {
  let joined = ''
  for (const [index, text] of texts.entries()) {
    if (joined.length >= longestText) break
    joined += (index === 0 ? '' : '\n') + text.slice(0, longestText)
  }
  return joined
}
