import { Buffer } from 'node:buffer'

import { isSealedText, type Seal } from '../../store/seal'
import type { Queries } from '../../store/database'

/** The most characters of each text that are kept. */
const maxTextLength = 32 * 1024

/** The conversation of one call. */
export interface CallTexts {
  readonly requestId: string
  /** Time of the call's log row, in seconds. */
  readonly createdAt: number
  /** Everything before the last text of the prompt. */
  readonly context: string
  readonly input: string
  readonly output: string
}

/** Texts in the queue: bytes of their own, so that their size is known and no request they were cut from is kept alive. */
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

/** Returns the row, in which nothing can be read without the key. */
export function textsRow({ requestId, createdAt, texts: [context, input, output] }: HeldTexts, seal: Seal) {
  const sealText = (text: Buffer, column: TextColumn) =>
    text.byteLength === 0 ? '' : seal.seal(text.toString(), sealContextOf(column, requestId))
  return {
    request_id: requestId,
    created_at: createdAt,
    context: sealText(context, 'context'),
    input: sealText(input, 'input'),
    output: sealText(output, 'output'),
  }
}

type TextColumn = 'context' | 'input' | 'output'

const sealContextOf = (column: TextColumn, requestId: string) => `log_texts.${column}#${requestId}` as const

/** Returns a text in the clear; earlier releases did not seal it. Empty when it was sealed with another key. */
function openText(text: string, column: TextColumn, requestId: string, seal: Pick<Seal, 'open'>): string {
  if (!isSealedText(text)) return text
  try {
    return seal.open(text, sealContextOf(column, requestId))
  } catch {
    return ''
  }
}

/** PostgreSQL does not accept NUL in a text. */
function ownBytes(text: string): Buffer {
  const cut = text.length > maxTextLength ? text.slice(0, maxTextLength) : text
  return Buffer.from(cut.includes('\0') ? cut.replaceAll('\0', '') : cut)
}

/** Joins as much of the texts, a line each, as is kept. */
export function joinedTexts(texts: readonly string[]): string {
  let joined = ''
  for (const [index, text] of texts.entries()) {
    if (joined.length >= maxTextLength) break
    joined += (index === 0 ? '' : '\n') + text.slice(0, maxTextLength)
  }
  return joined
}

/** Resolves with the texts of a call, with the keys a log row shows them under; null when none are stored. */
export async function findTexts(query: Queries, requestId: string, seal: Pick<Seal, 'open'>) {
  const row = await query
    .selectFrom('log_texts')
    .select(['context', 'input', 'output'])
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  if (!row) return null
  return {
    context: openText(row.context, 'context', requestId, seal),
    input_content: openText(row.input, 'input', requestId, seal),
    output_content: openText(row.output, 'output', requestId, seal),
  }
}
