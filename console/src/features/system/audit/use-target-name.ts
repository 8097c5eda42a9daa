import type { auditRoutes } from '@tollgate/contract'

import { useTranslation } from '../../../lib/text/i18n'

/** Kinds of targets. */
export const targets = [
  'user',
  'channel',
  'token',
  'option',
  'log',
  'session',
  'self',
  'passkey',
  'access_token',
] as const

type Act = Pick<auditRoutes.AuditEntity, 'target' | 'target_id' | 'target_name'>

/** Returns a description of the target: its kind, id and name, as far as available. */
export function useTargetName(): (act: Act) => string {
  const { t } = useTranslation('audit')
  return ({ target, target_id: id, target_name: name }) => {
    const known = targets.find((kind) => kind === target)
    return [`${known ? t(`kind.${known}`) : target} ${id}`.trim(), name].filter((part) => part !== '').join(' · ')
  }
}
