import { readUserSetting, accountRoutes, type RouteResult } from '@tollgate/contract'
import { call } from './api'
import { chooseLanguage, currentLanguage } from '../text/i18n'
import { languageOwner, type Language } from '../text/language'
import { storedUser } from './session'

/** Stores a language in the account; if the server is unreachable or refuses, it applies only to this browser. */
export async function keepLanguage(language: Language): Promise<void> {
  languageOwner.set(storedUser.get()?.id ?? null)
  await call(accountRoutes.updateSetting, { body: { language } }).catch(() => {})
}

/** Adopts the language that the reader chose on another device, once after each sign-in. */
export async function adoptLanguage(self: RouteResult<typeof accountRoutes.getSelf>): Promise<void> {
  if (languageOwner.get() === self.id) return
  languageOwner.set(self.id)
  const { language } = readUserSetting(self)
  if (language && language !== currentLanguage()) await chooseLanguage(language)
}

/** Makes the next sign-in adopt the language of its account again. */
export const forgetLanguageOwner = (): void => languageOwner.clear()
