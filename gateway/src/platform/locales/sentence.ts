import { parsePhrase, type Phrase, type PhraseParam, type PhraseParams } from '@tollgate/contract'

import en from './en.json'
import phrasesEn from './phrases.en.json'
import phrasesZh from './phrases.zh.json'
import zh from './zh.json'

export type Language = 'zh' | 'en'

const sentences: Record<Language, Readonly<Record<Phrase['code'], string>>> = {
  zh: { ...zh, ...phrasesZh } satisfies Record<Phrase['code'], string>,
  en: { ...en, ...phrasesEn } satisfies Record<Phrase['code'], string>,
}

/** Returns the sentence of an error or phrase. It begins without the space that Chinese sentences put around Latin names. */
export const sentence = (code: Phrase['code'], params: PhraseParams, language: Language): string =>
  wording(code, params, language).trimStart()

const wording = (code: Phrase['code'], params: PhraseParams, language: Language): string =>
  fillPlaceholders(sentences[language][code], code === 'log.quota_in_currency' ? inDollars(params) : params, language)

const dollars = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  minimumFractionDigits: 2,
  maximumFractionDigits: 6,
})

/** A stored amount has six decimals; those that are zero are left out but for two. */
const inDollars = ({ amount }: PhraseParams): PhraseParams => ({ amount: dollars.format(Number(amount)) })

/** Returns a text with its placeholders filled in. One without a value stays empty. */
export const fillPlaceholders = (text: string, params: PhraseParams, language: Language): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => formatParam(params[name], language))

function formatParam(param: PhraseParam | undefined, language: Language): string {
  if (typeof param !== 'object') return String(param ?? '')
  return 'code' in param ? wording(param.code, param.params ?? {}, language) : param[language]
}

/** Returns a stored text in the reader's language: phrases are worded, texts of earlier releases are shown unchanged. */
export function shownText(stored: string, language: Language): string {
  const phrase = parsePhrase(stored)
  return phrase ? sentence(phrase.code, phrase.params ?? {}, language) : stored
}
