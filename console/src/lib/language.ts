import * as z from 'zod'

import { stored } from './storage'

export const languages = ['zh', 'en'] as const
export type Language = (typeof languages)[number]

export const fallbackLanguage: Language = 'zh'

export const storedLanguage = stored('i18nextLng', z.string(), '', { isPlain: true })

/** Any text for a language as one of ours: `en-US` is `en`. */
const languageOf = (text: string): Language =>
  languages.find((language) => text.toLowerCase().startsWith(language)) ?? fallbackLanguage

/** What was chosen, or else what the browser prefers. */
export const preferredLanguage = (): Language => languageOf(storedLanguage.get() || navigator.language)
