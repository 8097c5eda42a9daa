import type { Area, Texts } from '../lib/i18n'
import type { Language } from '../lib/language'

const files = import.meta.glob<Texts>(['../locales/*/*.json', '!../locales/*/{common,onboarding,shell}.json'], {
  import: 'default',
})

/** The texts of an area, found by its name alone. Apart from the base: the list of all files weighs more than a kilobyte. */
export function textsOf(language: Language, area: Area): Promise<Texts> {
  const load = files[`../locales/${language}/${area}.json`]
  if (!load) throw new Error(`no texts for ${area} in ${language}`)
  return load()
}
