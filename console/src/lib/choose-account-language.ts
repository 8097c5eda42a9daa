import { chooseLanguage } from './i18n'
import type { Language } from './language'
import { storedUser } from './session'
import { viewedUser } from './viewed-user'

/** Speaks a language from now on, here and wherever the reader signs in; here alone for a guest, or while there is no server. */
export async function chooseAccountLanguage(language: Language): Promise<void> {
  await chooseLanguage(language)
  if (!storedUser.get() || viewedUser) return
  const { keepLanguage } = await import('./account-language')
  await keepLanguage(language)
}
