import { isAuditAction, userRoutes, type auditRoutes } from '@tollgate/contract'

import { useTranslation } from '../../../lib/text/i18n'

type Act = Pick<auditRoutes.AuditEntity, 'action' | 'method' | 'path' | 'after'>

/** Returns the description of an action, or the code of an unknown one. */
export function useActName(): (act: Act) => string {
  const { t } = useTranslation('audit')
  return ({ action, method, path, after }) => {
    if (action === '') return `${method} ${path}`
    // A single call for several actions.
    const managed = action === 'user.manage' && userRoutes.userActions.find((name) => name === after?.['action'])
    if (managed) return t(`manage.${managed}`)
    return isAuditAction(action) ? t(`act.${action}`) : action
  }
}
