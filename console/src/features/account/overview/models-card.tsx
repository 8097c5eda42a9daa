import { Button, Group, Text } from '@mantine/core'
import { modelRoutes } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'
import * as z from 'zod'

import { copyText } from '../../../lib/browser/copy-text'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useRead } from '../../../lib/api/query'
import { StoredValue, useStored } from '../../../lib/browser/stored-value'
import { AccountSection, ReadState } from '../account-section'
import classes from '../account.module.css'

const ManualCopy = lazy(async () => ({ default: (await import('../../../components/manual-copy')).ManualCopy }))

const storedExpanded = new StoredValue('modelsExpanded', z.boolean(), false)

/** Number of models shown while the list is collapsed. */
const few = 10

/** Models that the reader may call; a click copies a name. */
export function ModelsCard() {
  const { t } = useTranslation('account')
  const read = useRead(modelRoutes.ownModels, {})
  const { data: models } = read
  const [isExpanded, setExpanded] = useStored(storedExpanded)
  const [refused, setRefused] = useState<string | undefined>()
  const copy = async (model: string) => {
    if (await copyText(model)) notifySuccess(t('models.copied', { model }))
    else setRefused(model)
  }
  return (
    <AccountSection
      title={t('models.title')}
      hint={t('models.hint')}
      state={
        models && (
          <Text size="sm" c="dimmed" className="figures">
            {models.length}
          </Text>
        )
      }
      actions={
        models &&
        models.length > few && (
          <Button variant="default" size="sm" aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
            {isExpanded ? t('models.fewer') : t('models.all', { count: models.length })}
          </Button>
        )
      }
    >
      <li className={classes.row}>
        {models ? (
          <Group gap={6} role="group" aria-label={t('models.title')}>
            {models.length === 0 && (
              <Text size="sm" c="dimmed">
                {t('models.none')}
              </Text>
            )}
            {models.slice(0, isExpanded ? undefined : few).map((model) => (
              <Button
                key={model}
                variant="default"
                size="compact-sm"
                fw={400}
                className={classes.model}
                onClick={() => void copy(model)}
              >
                {model}
              </Button>
            ))}
          </Group>
        ) : (
          <ReadState read={read} />
        )}
      </li>
      {refused !== undefined && (
        <Suspense>
          <ManualCopy text={refused} onClose={() => setRefused(undefined)} />
        </Suspense>
      )}
    </AccountSection>
  )
}
