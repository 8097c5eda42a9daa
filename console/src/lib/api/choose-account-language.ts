import { chooseLanguage } from '../text/i18n'
import type { Language } from '../text/language'
import { storedUser, viewedUser } from './session'

/** Switches the language here and wherever the reader signs in; only here for a guest, or while the server is unreachable. */
export async function chooseAccountLanguage(language: Language): Promise<void> {
  await chooseLanguage(language)
  if (!storedUser.get() || viewedUser) return
  const { keepLanguage } = await import('./account-language')
  await keepLanguage(language)
}
