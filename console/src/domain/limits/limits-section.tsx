import { Button, Skeleton, Text } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'

import { ErrorState } from '../../components/page/state-message'
import { PanelSection } from '../../components/peek/panel-section'
import { useTranslation } from '../../lib/text/i18n'
import { LimitBar } from './limit-bar'
import { useLimits, type LimitsOwner } from './limits-data'
import { useLimitText } from './use-limit-text'
import classes from './limits.module.css'

const LimitsDrawer = lazy(async () => ({ default: (await import('./limits-drawer')).LimitsDrawer }))

interface LimitsSectionProps {
  readonly owner: LimitsOwner
  readonly mayWrite: boolean
  /** Shown where there are none. */
  readonly noneText?: string
}

/** The limits of an owner with what is left of them, and the way to their editor. */
export function LimitsSection({ owner, mayWrite, noneText }: LimitsSectionProps) {
  const { t } = useTranslation('limits')
  const text = useLimitText()
  const { data, error, refetch } = useLimits(owner)
  const [isEditing, setEditing] = useState(false)
  const caps = data?.windows.filter(({ span }) => span === 'call') ?? []
  return (
    <PanelSection
      title={t('heading')}
      aside={
        mayWrite && (
          <Button variant="default" size="compact-sm" onClick={() => setEditing(true)}>
            {t('edit')}
          </Button>
        )
      }
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} isSmall />}
      {!data && !error && <Skeleton h={40} />}
      {data?.windows.length === 0 && (
        <Text size="sm" c="dimmed">
          {noneText ?? t('none')}
        </Text>
      )}
      {data?.standings.map((standing) => (
        <LimitBar key={`${standing.id}-${standing.subject_id}`} standing={standing} />
      ))}
      {caps.map((settings) => (
        <div key={settings.id} className={`${classes.bar} ${classes.line}`}>
          <span className={classes.name}>{settings.name}</span>
          <span className="figures">{text.summary(settings)}</span>
        </div>
      ))}
      {isEditing && (
        <Suspense>
          <LimitsDrawer owner={owner} onClose={() => setEditing(false)} />
        </Suspense>
      )}
    </PanelSection>
  )
}
