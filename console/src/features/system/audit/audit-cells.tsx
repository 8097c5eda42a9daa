import { auditDone, isAuditAction, userRoutes, type auditRoutes } from '@tollgate/contract'

import { StatusBadge } from '../../../components/status-badge'
import { useTranslation } from '../../../lib/text/i18n'

/** Outcome of an action; for a refusal, its code. */
export function OutcomeBadge({ outcome }: { readonly outcome: string }) {
  const { t } = useTranslation('audit')
  return outcome === auditDone ? (
    <StatusBadge tone="good">{t('outcome.done')}</StatusBadge>
  ) : (
    <StatusBadge tone="bad" reason={outcome}>
      {t('outcome.refused')}
    </StatusBadge>
  )
}

type AuditAction = Pick<auditRoutes.AuditEntity, 'action' | 'method' | 'path' | 'after'>

/** Returns the description of an action, or the code of an unknown one. */
export function useActionName(): (act: AuditAction) => string {
  const { t } = useTranslation('audit')
  return ({ action, method, path, after }) => {
    if (action === '') return `${method} ${path}`
    // A single call for several actions.
    const managed = action === 'user.manage' && userRoutes.userActions.find((name) => name === after?.['action'])
    if (managed) return t(`manage.${managed}`)
    return isAuditAction(action) ? t(`act.${action}`) : action
  }
}

export interface Change {
  readonly name: string
  readonly before: string | undefined
  readonly after: string | undefined
}

const empty: readonly unknown[] = ['', 'null', '[]', '{}']

const textOf = (value: unknown): string | undefined => {
  if (value === undefined) return undefined
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * Returns a line for each changed member; a value that is missing before or after is undefined. Members empty on both sides are left out.
 */
export function changesOf({ before, after }: Pick<auditRoutes.AuditEntity, 'before' | 'after'>): readonly Change[] {
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])
  return [...names]
    .map((name) => ({ name, before: textOf(before?.[name]), after: textOf(after?.[name]) }))
    .filter(({ before = '', after = '' }) => !empty.includes(before) || !empty.includes(after))
}

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
  'code',
  'message',
  'order',
  'plan',
  'subscription',
  'price',
  'window',
  'backup',
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
