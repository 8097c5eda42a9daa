import * as z from 'zod'

import { isErrorCode, type ErrorCode } from '../http/errors/errors'
import { phraseCodes, type PhraseCode } from './phrases'

/** Wording that is data and has both languages, such as the label of a vendor's field. */
const Words = z.object({ en: z.string(), zh: z.string() })

export type PhraseParam = string | number | z.output<typeof Words> | Phrase
export type PhraseParams = Readonly<Record<string, PhraseParam>>

/** An error can be a part of a sentence too, or stored. */
export interface Phrase {
  readonly code: ErrorCode | PhraseCode
  readonly params?: PhraseParams | undefined
}

const isCode = (text: string): text is Phrase['code'] => isErrorCode(text) || phraseCodes.some((code) => code === text)

export const Phrase: z.ZodType<Phrase> = z.lazy(() =>
  z.strictObject({
    code: z.string().refine(isCode),
    params: z.record(z.string(), z.union([z.string(), z.number(), Words, Phrase])).optional(),
  }),
)

/** Returns a phrase in the form that is stored in a text column. */
export const storedPhrase = (code: Phrase['code'], params?: PhraseParams): string => JSON.stringify({ code, params })

/** Returns the phrase in a text column, or null for plain text, as in rows of earlier releases. */
export function parsePhrase(text: string): Phrase | null {
  if (!text.startsWith('{"code":"')) return null
  try {
    return Phrase.parse(JSON.parse(text))
  } catch {
    return null
  }
}
