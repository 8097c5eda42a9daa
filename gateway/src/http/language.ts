import type { ErrorCode } from '@tollgate/contract'

import en from '../locales/en.json'
import zh from '../locales/zh.json'
import type { Language } from './handler'

const sentences: Record<Language, Readonly<Record<ErrorCode, string>>> = {
  zh: zh satisfies Record<ErrorCode, string>,
  en: en satisfies Record<ErrorCode, string>,
}

/** The sentence of an error with its placeholders filled in. A placeholder without a value stays empty. */
export function sentence(
  code: ErrorCode,
  params: Readonly<Record<string, string | number>>,
  language: Language,
): string {
  return sentences[language][code].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''))
}

/** The console answers Chinese unless English is asked for first. */
export const consoleLanguage = (headers: Headers): Language =>
  /^\s*en\b/i.test(headers.get('accept-language') ?? '') ? 'en' : 'zh'

/** Model calls are answered in English unless Chinese is asked for first. */
export const relayLanguage = (headers: Headers): Language =>
  /^\s*zh\b/i.test(headers.get('accept-language') ?? '') ? 'zh' : 'en'
