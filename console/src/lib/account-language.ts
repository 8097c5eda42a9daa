import { readUserSetting, selfRoutes, type RouteAnswer } from '@tollgate/contract'
import * as z from 'zod'

import { call } from './api'
import { chooseLanguage, currentLanguage } from './i18n'
import type { Language } from './language'
import { storedUser } from './session'
import { stored } from './storage'

/** Whose language this browser has taken over, so that one chosen here later stays. */
const storedOwner = stored('language-of', z.number().int().nullable(), null)

/** Keeps a language in the account; a server that cannot be reached or refuses leaves it to this browser. */
export async function keepLanguage(language: Language): Promise<void> {
  storedOwner.set(storedUser.get()?.id ?? null)
  await call(selfRoutes.updateSetting, { body: { language } }).catch(() => {})
}

/** Speaks the language that the reader chose on another device, once after each sign-in. */
export async function adoptLanguage(self: RouteAnswer<typeof selfRoutes.getSelf>): Promise<void> {
  if (storedOwner.get() === self.id) return
  storedOwner.set(self.id)
  const { language } = readUserSetting(self)
  if (language && language !== currentLanguage()) await chooseLanguage(language)
}

/** The next sign-in takes over the language of its account again. */
export const forgetLanguageOwner = (): void => storedOwner.clear()
