import i18next, { type BackendModule, type CustomTypeOptions, type ReadCallback } from 'i18next'
import { initReactI18next } from 'react-i18next'

import { languageOf, languages, preferredLanguage, storedLanguage, type Language } from './language'

type Area = keyof CustomTypeOptions['resources']

/** Answers the texts of one area in one language. */
export type TextLoader = (language: Language, area: string) => Promise<object>

/** Make texts available. Areas are loaded when a page first asks for them. */
export async function startI18n(load: TextLoader): Promise<void> {
  await i18next
    .use(loadingBackend(load))
    .use(initReactI18next)
    .init({
      lng: preferredLanguage(),
      // Each language has every text, so that no second one is ever loaded; an unknown language was turned into ours before.
      fallbackLng: false,
      supportedLngs: [...languages],
      ns: ['common', 'shell'],
      defaultNS: 'common',
      interpolation: { escapeValue: false },
      partialBundledLanguages: true,
    })
  document.documentElement.lang = i18next.language
  i18next.on('languageChanged', (language) => {
    document.documentElement.lang = language
  })
}

/** Load the texts of a page together with its code, rather than when that asks for them. */
export const loadAreas = (...areas: readonly Area[]): Promise<void> => i18next.loadNamespaces(areas)

export async function chooseLanguage(language: Language): Promise<void> {
  storedLanguage.set(language)
  await i18next.changeLanguage(language)
}

export const currentLanguage = (): Language => (i18next.language ? languageOf(i18next.language) : preferredLanguage())

const loadingBackend = (load: TextLoader): BackendModule => ({
  type: 'backend',
  callbackApi: true,
  init() {},
  read: (language: string, area: string, done: ReadCallback) => void answer(load(languageOf(language), area), done),
})

async function answer(texts: Promise<object>, done: ReadCallback): Promise<void> {
  try {
    done(null, { ...(await texts) })
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)), null)
  }
}
