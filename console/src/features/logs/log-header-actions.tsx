import { ActionIcon, Button } from '@mantine/core'
import {
  IconBookmark,
  IconChevronDown,
  IconClock,
  IconDownload,
  IconPlayerPause,
  IconPlayerPlay,
  IconPlayerStop,
  IconRefresh,
  IconX,
} from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { Tip } from '../../components/tip'
import { useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import { isWorthKeeping } from './log-query'
import type { LogSearch } from './log-search'
import { useIsAgo } from './table/log-time'
import { useExport } from './use-export'
import type { Live } from './log-data'

// Loaded with the first click, or where the address may match a view.
const ViewsMenu = lazy(async () => ({ default: (await import('./views/views-menu')).ViewsMenu }))

interface LogHeaderActionsProps {
  readonly search: LogSearch
  readonly live: Live
  readonly onFilter: (change: LogSearch) => void
  readonly onRefresh: () => void
}

export function LogHeaderActions({ search, live, onFilter, onRefresh }: LogHeaderActionsProps) {
  const { t } = useTranslation('logs')
  const file = useExport(search)
  const [isAgo, setAgo] = useIsAgo()
  const isPhone = useIsPhone()
  const [isViewsRequested, setViewsRequested] = useState(false)
  const isViewsNeeded = isViewsRequested || isWorthKeeping(search)
  const viewsButton = (
    <Button
      variant="default"
      leftSection={<IconBookmark size={14} />}
      rightSection={<IconChevronDown size={14} />}
      aria-haspopup="menu"
      aria-expanded={false}
      onClick={() => setViewsRequested(true)}
    >
      {t('view.label')}
    </Button>
  )
  return (
    <>
      {isViewsNeeded ? (
        <Suspense fallback={viewsButton}>
          <ViewsMenu search={search} onChange={onFilter} isOpenAtFirst={isViewsRequested} />
        </Suspense>
      ) : (
        viewsButton
      )}
      <Tip label={t('ago')}>
        <ActionIcon
          variant={isAgo ? 'light' : 'default'}
          aria-label={t('ago')}
          aria-pressed={isAgo}
          onClick={() => setAgo(!isAgo)}
        >
          <IconClock size={17} />
        </ActionIcon>
      </Tip>
      <Tip label={t('refresh')}>
        <ActionIcon variant="default" aria-label={t('refresh')} onClick={onRefresh}>
          <IconRefresh size={17} />
        </ActionIcon>
      </Tip>
      {live.isOn && (
        <Button
          variant="default"
          leftSection={live.isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
          onClick={live.pause}
        >
          {t(live.isPaused ? 'live.resume' : 'live.pause')}
        </Button>
      )}
      <Tip label={live.isPossible ? t('live.hint') : t('live.impossible')}>
        <Button
          variant={live.isOn ? 'light' : 'default'}
          aria-pressed={live.isOn}
          data-disabled={!live.isPossible || undefined}
          leftSection={live.isOn ? <IconPlayerStop size={14} /> : <IconPlayerPlay size={14} />}
          onClick={() => live.isPossible && live.toggle()}
        >
          {t('live.label')}
        </Button>
      </Tip>
      {file.isBusy ? (
        <Button variant="default" leftSection={<IconX size={14} />} onClick={file.abort}>
          {t('export.abort', { size: file.size })}
        </Button>
      ) : (
        <Tip label={t('export.hint')}>
          {isPhone ? (
            <ActionIcon variant="default" aria-label={t('export.label')} onClick={file.start}>
              <IconDownload size={17} />
            </ActionIcon>
          ) : (
            <Button variant="default" leftSection={<IconDownload size={14} />} onClick={file.start}>
              {t('export.label')}
            </Button>
          )}
        </Tip>
      )}
    </>
  )
}
