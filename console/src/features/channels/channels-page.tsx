import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconRefresh, IconRoute, IconSortDescendingNumbers, IconTags, type Icon } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { ApiError } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { useIsGuided } from '../../components/onboarding/use-is-guided'
import { ErrorState } from '../../components/page/error-state'
import { PageHeader } from '../../components/page/page-header'
import { Tip } from '../../components/tip'
import { understood } from '../../lib/api'
import { useTranslation } from '../../lib/i18n'
import { notifyError } from '../../lib/notify'
import type { Channel } from './channel-row'
import { ChannelsTable } from './channels-table'
import { Dialogs, type Opened } from './dialogs'
import { ListMenu } from './list-menu'
import { useChannelRights } from './use-channel-rights'
import { everyChannel, useChannels, useChannelSearch, useListModes } from './use-channels'
import { useRuns } from './use-runs'

// Not loaded for readers who are done with its steps.
const OnboardingChecklist = lazy(async () => ({
  default: (await import('../../components/onboarding/onboarding-checklist')).OnboardingChecklist,
}))
const ProgressLines = lazy(async () => ({ default: (await import('./progress-line')).ProgressLines }))

/** The list of upstream channels with their health and all actions. */
export function ChannelsPage() {
  const { t } = useTranslation('channels')
  const { search, setSearch, list } = useChannelSearch()
  const modes = useListModes(() => setSearch({ page: undefined }))
  const channels = useChannels(search, { ...list.part, ...modes, isFiltered: list.isFiltered })
  const runs = useRuns()
  const [opened, open] = useState<Opened | undefined>()
  const { mayEnterKeys } = useChannelRights()
  const isGuided = useIsGuided()
  if (channels.error?.status === forbidden) {
    return (
      <>
        <PageHeader title={t('title')} />
        <ErrorState error={channels.error} />
      </>
    )
  }
  const refresh = async () => {
    const { error } = await channels.refetch()
    if (error) notifyError(new ApiError(t('error.refresh'), error.status, error.code, error.requestId))
  }
  return (
    <>
      <PageHeader title={t('title')}>
        <Tip label={t('refresh')}>
          <ActionIcon variant="default" aria-label={t('refresh')} onClick={() => void refresh()}>
            <IconRefresh size={17} />
          </ActionIcon>
        </Tip>
        <Toggle
          label={t('header.idSort')}
          hint={t('idSort')}
          icon={IconSortDescendingNumbers}
          isOn={modes.isIdSort}
          onSet={modes.setIdSort}
        />
        <Toggle
          label={t('header.tagMode')}
          hint={t('tagMode')}
          icon={IconTags}
          isOn={modes.isTagMode}
          onSet={modes.setTagMode}
        />
        <Button
          variant="default"
          leftSection={<IconRoute size={15} />}
          renderRoot={(props) => <Link to="/admin/routing" {...props} />}
        >
          {t('header.route')}
        </Button>
        <ListMenu
          onImport={() => open({ kind: 'import' })}
          onExport={() => void everyChannel(search).then(save, (error: unknown) => notifyError(understood(error)))}
        />
        {mayEnterKeys && (
          <Button
            variant={isGuided ? 'default' : 'filled'}
            leftSection={<IconPlus size={14} />}
            onClick={() => setSearch({ edit: 'new' })}
          >
            {t('add')}
          </Button>
        )}
      </PageHeader>
      {isGuided && (
        <Suspense>
          <OnboardingChecklist />
        </Suspense>
      )}
      <Suspense>
        <ProgressLines />
      </Suspense>
      <ChannelsTable
        key={String(modes.isTagMode)}
        search={search}
        setSearch={setSearch}
        modes={modes}
        list={list}
        channels={channels}
        onOpen={open}
        onRun={runs.start}
        onExport={(channels) => void save(channels)}
      />
      <Dialogs
        opened={opened}
        onClose={() => open(undefined)}
        edit={search.edit}
        onCloseEditor={() => setSearch({ edit: undefined })}
        run={runs.run}
        onCloseRun={runs.close}
      />
    </>
  )
}

const forbidden = 403

const save = async (channels: readonly Channel[]) =>
  (await import('./editor/import-export/export-channels')).exportChannels(channels)

interface ToggleProps {
  readonly label: string
  readonly hint: string
  readonly icon: Icon
  readonly isOn: boolean
  readonly onSet: (isOn: boolean) => void
}

function Toggle({ label, hint, icon: ToggleIcon, isOn, onSet }: ToggleProps) {
  return (
    <Tip label={hint}>
      <Button
        variant={isOn ? 'light' : 'default'}
        leftSection={<ToggleIcon size={15} />}
        aria-pressed={isOn}
        onClick={() => onSet(!isOn)}
      >
        {label}
      </Button>
    </Tip>
  )
}
