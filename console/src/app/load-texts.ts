import type { Area, Texts } from '../lib/text/i18n'
import type { Language } from '../lib/text/language'

/** Text areas that every page needs: one file per language. */
const first = { zh: () => import('./first-texts/zh'), en: () => import('./first-texts/en') }

/** Loads the texts of an area from the file named by the script in `index.html`; the development server has no such script. */
export async function loadTexts(language: Language, area: Area): Promise<Texts> {
  if (area === 'common' || area === 'shell') return (await first[language]())[area]
  const file = window.preload?.texts[language]?.[area]
  if (file === undefined) return (await import('./all-texts')).textsOf(language, area)
  return (await import(/* @vite-ignore */ `/${file}`)).default
}
