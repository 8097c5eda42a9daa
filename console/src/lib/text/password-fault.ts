import { passwordLength } from '@tollgate/contract'

import { translate } from './i18n'

/** Returns what is wrong with the length of a new password. */
export function passwordFault(password: string): string | null {
  const { length } = Array.from(password)
  if (length < passwordLength.min) return translate('password.short', passwordLength)
  return length > passwordLength.max ? translate('password.long', passwordLength) : null
}
