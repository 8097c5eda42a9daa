import type { Tone } from '../../components/status-badge'
import { findText } from '../../lib/text/i18n'

const tones: Readonly<Record<string, Tone>> = {
  SUBMITTED: 'warning',
  QUEUED: 'warning',
  IN_PROGRESS: 'accent',
  MODAL: 'warning',
  SUCCESS: 'good',
  FAILURE: 'bad',
}

export const toneOf = (status: string): Tone => tones[status] ?? 'neutral'

const codeTones: Readonly<Record<number, Tone>> = { 0: 'warning', 1: 'good', 21: 'accent', 22: 'warning' }

export const toneOfCode = (code: number): Tone => codeTones[code] ?? 'neutral'

/** Returns the name of a state; one of a later release, or of another gateway, as it is. */
export const statusName = (status: string): string =>
  findText('tasks', `status.${status === '' ? 'SUBMITTING' : status}`) ?? status

export const actionName = (action: string): string => findText('tasks', `action.${action}`) ?? action

export const platformName = (platform: string): string => findText('tasks', `platform.${platform}`) ?? platform

/** Returns what became of the submission of a drawing. */
export const codeName = (code: number): string => findText('tasks', `code.${code}`) ?? String(code)
