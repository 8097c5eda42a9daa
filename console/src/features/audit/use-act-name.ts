import { isAuditAction, userRoutes, type auditRoutes } from '@tollgate/contract'

import { useTranslation } from '../../lib/i18n'

type Act = Pick<auditRoutes.AuditEntity, 'action' | 'method' | 'path' | 'after'>

/** Says what was done in words; of an act that this console does not know, its code. */
export function useActName(): (act: Act) => string {
  const { t } = useTranslation('audit')
  return ({ action, method, path, after }) => {
    if (action === '') return `${method} ${path}`
    // One call for several acts.
    const managed = action === 'user.manage' && userRoutes.userActions.find((name) => name === after?.['action'])
    if (managed) return t(`manage.${managed}`)
    return isAuditAction(action) ? t(`act.${action}`) : action
  }
}
