import type { Phrase, PhraseParam, PhraseParams } from '@tollgate/contract'

import en from '../locales/en.json'
import phrasesEn from '../locales/phrases.en.json'
import phrasesZh from '../locales/phrases.zh.json'
import zh from '../locales/zh.json'

export type Language = 'zh' | 'en'

const sentences: Record<Language, Readonly<Record<Phrase['code'], string>>> = {
  zh: { ...zh, ...phrasesZh } satisfies Record<Phrase['code'], string>,
  en: { ...en, ...phrasesEn } satisfies Record<Phrase['code'], string>,
}

/** Returns the sentence of an error or phrase. */
export const sentence = (code: Phrase['code'], params: PhraseParams, language: Language): string =>
  filled(sentences[language][code], params, language)

/** Returns a text with its placeholders filled in. One without a value stays empty. */
export const filled = (text: string, params: PhraseParams, language: Language): string =>
  text.replace(/\{(\w+)\}/g, (_, name: string) => worded(params[name], language))

function worded(param: PhraseParam | undefined, language: Language): string {
  if (typeof param !== 'object') return String(param ?? '')
  return 'code' in param ? sentence(param.code, param.params ?? {}, language) : param[language]
}

/** The console responds in Chinese unless English is preferred. */
export const consoleLanguage = (headers: Headers): Language =>
  /^\s*en\b/i.test(headers.get('accept-language') ?? '') ? 'en' : 'zh'

/** Model calls are answered in English unless Chinese is preferred. */
export const relayLanguage = (headers: Headers): Language =>
  /^\s*zh\b/i.test(headers.get('accept-language') ?? '') ? 'zh' : 'en'
