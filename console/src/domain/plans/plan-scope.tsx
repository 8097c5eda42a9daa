import { Anchor } from '@mantine/core'
import { type Icon, IconBox, IconGauge, IconUsersGroup } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { useLimitText } from '../limits/use-limit-text'
import type { Plan } from './plan-data'
import classes from './plan-scope.module.css'

/** What a plan pays for, and how much: its limits in words, its models and groups. */
export function PlanScope({
  plan: { windows, models, groups },
}: {
  readonly plan: Pick<Plan, 'windows' | 'models' | 'groups'>
}) {
  const { t } = useTranslation('plan')
  const text = useLimitText()
  return (
    <ul className={classes.scope}>
      {windows.length === 0 && <Line icon={IconGauge}>{t('noLimits')}</Line>}
      {windows.map((window) => (
        <Line key={window.id} icon={IconGauge}>
          <span className="figures">{text.summary(window)}</span>
        </Line>
      ))}
      <Line icon={IconBox} name={t('models')}>
        {models.length === 0 ? t('allModels') : <Names names={models} />}
      </Line>
      <Line icon={IconUsersGroup} name={t('groups')}>
        {groups.length === 0 ? t('allGroups') : <Names names={groups} />}
      </Line>
    </ul>
  )
}

interface LineProps {
  readonly icon: Icon
  /** For screen readers, where the icon says it. */
  readonly name?: string
  readonly children: ReactNode
}

const Line = ({ icon: LineIcon, name, children }: LineProps) => (
  <li className={classes.line} aria-label={name}>
    <LineIcon size={16} stroke={1.7} className={classes.icon} aria-hidden />
    <div className={classes.text}>{children}</div>
  </li>
)

const shownAtFirst = 4

/** Names, of many the first few until the rest is wanted. */
function Names({ names }: { readonly names: readonly string[] }) {
  const { t } = useTranslation('plan')
  const [isWhole, setWhole] = useState(names.length <= shownAtFirst + 1)
  const shown = isWhole ? names : names.slice(0, shownAtFirst)
  return (
    <>
      {shown.join(', ')}{' '}
      {!isWhole && (
        <Anchor component="button" type="button" size="sm" onClick={() => setWhole(true)}>
          {t('more', { count: names.length - shown.length })}
        </Anchor>
      )}
    </>
  )
}
