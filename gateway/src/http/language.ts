import type { Language } from '../platform/locales/sentence'

export { fillPlaceholders, sentence, type Language } from '../platform/locales/sentence'

/** The console responds in Chinese unless English is preferred. */
export const consoleLanguage = (headers: Headers): Language =>
  /^\s*en\b/i.test(headers.get('accept-language') ?? '') ? 'en' : 'zh'

/** Model calls are answered in English unless Chinese is preferred. */
export const relayLanguage = (headers: Headers): Language =>
  /^\s*zh\b/i.test(headers.get('accept-language') ?? '') ? 'zh' : 'en'
