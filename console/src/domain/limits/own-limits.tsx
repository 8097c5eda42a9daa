import { useTranslation } from '../../lib/text/i18n'
import { LimitBar } from './limit-bar'
import type { OwnStanding } from './standings-data'

/** The reader's limits, with the name of the key or the plan where they are of one. */
export function OwnLimits({ standings }: { readonly standings: readonly OwnStanding[] }) {
  const { t } = useTranslation('limits')
  return standings.map((standing) => {
    const { id, subject_id: subject, owner, name, key_name: key, plan_name: plan } = standing
    const names = owner === 'token' ? [t('ofToken', { name: key }), name] : owner === 'plan' ? [plan, name] : [name]
    return <LimitBar key={`${id}-${subject}`} standing={standing} name={names.join(' · ')} />
  })
}
