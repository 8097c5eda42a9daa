import type { Area, Texts } from '../lib/i18n'
import type { Language } from '../lib/language'

/** The areas that every page needs, and the steps that greet new users: one file a language. */
const first = { zh: () => import('./first-texts/zh'), en: () => import('./first-texts/en') }

const files = import.meta.glob<Texts>(['../locales/*/*.json', '!../locales/*/{common,onboarding,shell}.json'], {
  import: 'default',
})

/** The texts of an area. */
export async function loadTexts(language: Language, area: Area): Promise<Texts> {
  if (area === 'common' || area === 'onboarding' || area === 'shell') return (await first[language]())[area]
  const load = files[`../locales/${language}/${area}.json`]
  if (!load) throw new Error(`no texts for ${area} in ${language}`)
  return load()
}
