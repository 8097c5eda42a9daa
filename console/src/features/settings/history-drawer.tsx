import { Button, Drawer, Group, Stack, Text } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { isSecretOption, optionOf, optionRoutes, type OptionKey } from '@tollgate/contract'
import { useState } from 'react'
import type { z } from 'zod'

import { ErrorState, StateMessage } from '../../components/page/state-message'
import { FocusBack } from '../../components/focus-back'
import { ownEscape } from '../../components/own-escape'
import { PageLoading } from '../../components/page/page-loading'
import { PageSteps } from '../../components/page/page-steps'
import { TimeAgo } from '../../components/time-ago'
import { useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import { notifySuccess } from '../../lib/browser/notify'
import { useRead } from '../../lib/api/query'
import { isChange } from './option-value'
import classes from './settings.module.css'
import { useOptionText } from './use-option-text'
import type { Settings } from './use-settings'

type Change = z.output<typeof optionRoutes.OptionChangeRow>

interface HistoryDrawerProps {
  readonly optionKey: OptionKey
  readonly settings: Settings
  readonly onClose: () => void
}

const pageSize = 10

/** Changes of an option: who, when, from what to what. An earlier value can be put back into the field, to be saved there. */
export function HistoryDrawer({ optionKey, settings, onClose }: HistoryDrawerProps) {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { label } = useOptionText(optionKey)
  const isPhone = useIsPhone()
  const [page, setPage] = useState(1)
  const { data, error, refetch } = useRead(
    optionRoutes.optionHistory,
    { query: { key: optionKey, p: String(page), page_size: String(pageSize) } },
    { staleTime: 0 },
  )
  const putBack = (value: string) => {
    settings.setDraft(optionKey, value)
    notifySuccess(t('history.done'))
    onClose()
  }
  return (
    <Drawer
      opened
      onClose={onClose}
      {...ownEscape(onClose)}
      position="right"
      size={isPhone ? '100%' : 520}
      title={t('history.title', { name: label(optionKey) })}
      closeButtonProps={{ 'aria-label': common('close') }}
    >
      <FocusBack />
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} isSmall />
      ) : !data ? (
        <PageLoading />
      ) : data.total === 0 ? (
        <StateMessage icon={IconHistory} title={t('history.empty')} hint={t('history.emptyHint')} />
      ) : (
        <Stack gap="lg">
          {data.items.map((change) => (
            <OneChange key={change.id} optionKey={optionKey} change={change} settings={settings} onPutBack={putBack} />
          ))}
          {data.total > pageSize && (
            <PageSteps page={page} last={Math.ceil(data.total / pageSize)} onChange={setPage} />
          )}
        </Stack>
      )}
    </Drawer>
  )
}

interface OneChangeProps {
  readonly optionKey: OptionKey
  readonly change: Change
  readonly settings: Settings
  readonly onPutBack: (value: string) => void
}

function OneChange({ optionKey, change, settings, onPutBack }: OneChangeProps) {
  const { t } = useTranslation('settings')
  const { before, after, username, created_at: at } = change
  const row = settings.row(optionKey)
  const canPutBack =
    !isSecretOption(optionKey) && settings.mayWrite(optionKey) && row && isChange(optionKey, before, row)
  return (
    <article className={classes.change}>
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          <b>{username}</b> <TimeAgo at={at} />
        </Text>
        {canPutBack && (
          <Button size="xs" variant="default" onClick={() => onPutBack(before)}>
            {t('history.putBack')}
          </Button>
        )}
      </Group>
      <dl className={classes.values}>
        <dt>{t('history.from')}</dt>
        <dd>
          <Value optionKey={optionKey} value={before} />
        </dd>
        <dt>{t('history.to')}</dt>
        <dd>
          <Value optionKey={optionKey} value={after} />
        </dd>
      </dl>
    </article>
  )
}

interface ValueProps {
  readonly optionKey: OptionKey
  readonly value: string
}

/** Words for a switch, a choice and a secret; anything else as stored. */
function Value({ optionKey, value }: ValueProps) {
  const { t } = useTranslation('settings')
  const { choice } = useOptionText(optionKey)
  switch (optionOf(optionKey).kind) {
    case 'boolean':
      return t(value === 'true' ? 'history.on' : 'history.off')
    case 'choice':
      return choice(optionKey, value)
    case 'choices':
      return value === '' ? (
        <Blank />
      ) : (
        value
          .split(',')
          .map((name) => choice(optionKey, name))
          .join(', ')
      )
    case 'secret':
      return t(value === '' ? 'history.notSet' : 'history.set')
    default:
      return value === '' ? <Blank /> : <pre tabIndex={0}>{value}</pre>
  }
}

function Blank() {
  const { t } = useTranslation('settings')
  return (
    <Text c="dimmed" size="sm" span>
      {t('history.blank')}
    </Text>
  )
}
