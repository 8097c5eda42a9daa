import type { Translate } from '../../../lib/text/i18n'
import { passwordFault } from '../../../lib/text/password-fault'

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
  const fault = passwordFault(password)
  if (fault) faults['password'] = fault
  if (again !== password) faults['again'] = t('fault.mismatch')
  const hasMail = email.trim() !== ''
  if (isMailNeeded && !hasMail) faults['email'] = t('fault.email')
  if ((isMailNeeded || hasMail) && code.trim() === '') faults['code'] = t('fault.code')
  return faults
}
