import * as z from 'zod'

import { errorCodes, type ErrorCode } from './errors'

/**
 * Parts of sentences and log texts, by machine code. As for errors, the wording in each language is in the gateway's locales:
 * a phrase is stored and passed on as its code with parameters, and worded for whoever reads it.
 */
export const phraseCodes = [
  // why a value is refused; `place` names the field
  'reason.at',
  'reason.required',
  'reason.type',
  'reason.unknown_field',
  'reason.too_short',
  'reason.too_long',
  'reason.too_small',
  'reason.not_above',
  'reason.too_large',
  'reason.too_few',
  'reason.too_many',
  'reason.one_of',
  'reason.format',
  'reason.invalid',
  'reason.null_character',
  'reason.control_characters',
  'reason.too_deep',
  'reason.whole_number',
  'reason.decimal_number',
  'reason.web_address',
  'reason.picture_address',
  'reason.json',
  'reason.json_object',
  'reason.repeated',
  'reason.statuses',
  'reason.backwards',
  'reason.name',
  'reason.proto',
  'reason.no_groups',
  'reason.one_chat_entry',
  'reason.script_link',
  'reason.pattern',

  // what a value must be
  'type.text',
  'type.number',
  'type.whole_number',
  'type.flag',
  'type.list',
  'type.object',

  // what an administrator or the gateway did
  'log.options_changed',
  'log.quota_changed',
  'log.user_promoted',
  'log.user_demoted',
  'log.user_enabled',
  'log.user_disabled',
  'log.user_closed',
  'log.quota_in_currency',
  'log.quota_in_points',
  'log.test_passed',
  'log.test_failed',
  'log.channel_disabled',
  'log.key_disabled',
  'log.channel_enabled',

  // the price of a call
  'log.price_per_call',
  'log.price_per_token',

  // why a channel is out of service
  'status.too_slow',
  'status.no_keys',
  'status.no_balance',
] as const
export type PhraseCode = (typeof phraseCodes)[number]

/** The message of a schema's own check: the code of the reason it refuses a value for. */
export const refusal = (reason: Extract<PhraseCode, `reason.${string}`>): string => reason

/** Wording that is data and comes in both languages, such as the label of a vendor's field. */
const Words = z.object({ en: z.string(), zh: z.string() })

export type PhraseParam = string | number | z.output<typeof Words> | Phrase
export type PhraseParams = Readonly<Record<string, PhraseParam>>

/** Also an error can be a part of a sentence, or stored. */
export interface Phrase {
  readonly code: ErrorCode | PhraseCode
  readonly params?: PhraseParams | undefined
}

const codes = new Set<string>([...Object.keys(errorCodes), ...phraseCodes])
const isCode = (text: string): text is Phrase['code'] => codes.has(text)

export const Phrase: z.ZodType<Phrase> = z.lazy(() =>
  z.strictObject({
    code: z.string().refine(isCode),
    params: z.record(z.string(), z.union([z.string(), z.number(), Words, Phrase])).optional(),
  }),
)

/** A phrase as it is stored in a column of text. */
export const storedPhrase = (code: Phrase['code'], params?: PhraseParams): string => JSON.stringify({ code, params })

/** What a column of text holds: a phrase, or null for a text that stands as it is, as rows of earlier releases do. */
export function parsePhrase(text: string): Phrase | null {
  if (!text.startsWith('{"code":"')) return null
  try {
    return Phrase.parse(JSON.parse(text))
  } catch {
    return null
  }
}
