import type { Translate } from '../../lib/i18n'
import { lengthFault } from '../../lib/password-length'

export interface RegisterValues {
  readonly username: string
  readonly password: string
  readonly again: string
  readonly email: string
  readonly code: string
}

const longestUsername = 20

/** Returns a sentence for each invalid field. A given mail address requires its code. */
export function registerFaults(
  { username, password, again, email, code }: RegisterValues,
  isMailNeeded: boolean,
  t: Translate<'register'>,
): Record<string, string> {
  const faults: Record<string, string> = {}
  const name = username.trim()
  if (name === '') faults['username'] = t('fault.username')
  else if (Array.from(name).length > longestUsername || name.includes('@')) faults['username'] = t('fault.name')
  const length = lengthFault(password)
  if (length) faults['password'] = t(`fault.${length}`)
  if (again !== password) faults['again'] = t('fault.mismatch')
  const hasMail = email.trim() !== ''
  if (isMailNeeded && !hasMail) faults['email'] = t('fault.email')
  if ((isMailNeeded || hasMail) && code.trim() === '') faults['code'] = t('fault.code')
  return faults
}
