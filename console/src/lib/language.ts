import * as z from 'zod'

import { stored } from './storage'

export const languages = ['zh', 'en'] as const
export type Language = (typeof languages)[number]

/** Each in its own words, so that whoever needs it can read it. */
export const languageNames: Readonly<Record<Language, string>> = { zh: '中文', en: 'English' }

export const fallbackLanguage: Language = 'zh'

export const storedLanguage = stored('i18nextLng', z.string(), '', { isPlain: true })

/** Any text for a language as one of ours: `en-US` is `en`. */
const languageOf = (text: string): Language =>
  languages.find((language) => text.toLowerCase().startsWith(language)) ?? fallbackLanguage

/** What was chosen, or else what the browser prefers. */
export const preferredLanguage = (): Language => languageOf(storedLanguage.get() || navigator.language)
