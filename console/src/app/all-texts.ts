import type { Area, Texts } from '../lib/text/i18n'
import type { Language } from '../lib/text/language'

const files = import.meta.glob<Texts>(['../locales/*/*.json', '!../locales/*/{common,shell}.json'], {
  import: 'default',
})

/** Returns the texts of an area by name. Kept out of the base bundle: the list of all files takes more than a kilobyte. */
export function textsOf(language: Language, area: Area): Promise<Texts> {
  const load = files[`../locales/${language}/${area}.json`]
  if (!load) throw new Error(`no texts for ${area} in ${language}`)
  return load()
}
