import * as z from 'zod'

import { StoredValue } from '../browser/stored-value'

export const languages = ['zh', 'en'] as const
export type Language = (typeof languages)[number]

/** Each in its own language. */
export const languageNames: Readonly<Record<Language, string>> = { zh: '中文', en: 'English' }

export const fallbackLanguage: Language = 'zh'

export const storedLanguage = new StoredValue('i18nextLng', z.string(), '', { isPlain: true })

/** The account whose language this browser has adopted, so that a later choice here stays. */
export const languageOwner = new StoredValue('language-of', z.number().int().nullable(), null)

/** Maps any language tag to one of ours: `en-US` is `en`. */
const languageOf = (text: string): Language =>
  languages.find((language) => text.toLowerCase().startsWith(language)) ?? fallbackLanguage

/** Returns the chosen language, or else the browser's preference. */
export const preferredLanguage = (): Language => languageOf(storedLanguage.get() || navigator.language)
