import type { Translate } from '../../../lib/text/i18n'
import { passwordFault } from '../../../lib/text/password-fault'
import type { Mode } from './mode-choice'

export interface SetupValues {
  readonly username: string
  readonly password: string
  readonly confirmPassword: string
  readonly setupCode: string
  readonly mode: Mode
}

interface Needs {
  readonly root_init: boolean
  readonly code_required: boolean
}

/** Returns a sentence for each invalid field. Fields of an existing administrator are skipped. */
export function setupFaults(values: SetupValues, needs: Needs, t: Translate<'setup'>): Record<string, string> {
  const faults: Record<string, string> = {}
  if (!needs.root_init) {
    if (values.username.trim() === '') faults['username'] = t('fault.username')
    const fault = passwordFault(values.password)
    if (fault) faults['password'] = fault
    if (values.confirmPassword === '') faults['confirmPassword'] = t('fault.repeat')
    else if (values.password !== values.confirmPassword) faults['confirmPassword'] = t('fault.mismatch')
  }
  if (needs.code_required && values.setupCode.trim() === '') faults['setupCode'] = t('fault.code')
  return faults
}
