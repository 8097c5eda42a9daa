import { ActionIcon, Button } from '@mantine/core'
import { IconPlus, IconRefresh, IconRoute, IconSortDescendingNumbers, IconTags, type Icon } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { ApiError } from '@tollgate/contract'
import { lazy, Suspense, useState } from 'react'

import { useIsGuided } from '../../domain/onboarding/use-is-guided'
import { ErrorState } from '../../components/page/state-message'
import { PageHeader } from '../../components/page/page-header'
import type { MenuItem } from '../../components/menu-button'
import { Tip } from '../../components/tip'
import { toApiError } from '../../lib/api/api'
import { useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import { notifyError } from '../../lib/browser/notify'
import type { Channel } from './channel-row'
import { ChannelsTable } from './channels-table'
import classes from './channels.module.css'
import { Dialogs, type Opened, useRuns } from './dialogs'
import { ListMenu } from './list-menu'
import { everyChannel, useChannelRights, useChannels, useChannelSearch, useListModes } from './channel-data'

// Not loaded for readers who are done with its steps.
const OnboardingChecklist = lazy(async () => ({
  default: (await import('../../domain/onboarding/onboarding-checklist')).OnboardingChecklist,
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
  const isPhone = useIsPhone()
  const navigate = useNavigate()
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
  const idSort = { icon: IconSortDescendingNumbers, isOn: modes.isIdSort, set: modes.setIdSort }
  const tagMode = { icon: IconTags, isOn: modes.isTagMode, set: modes.setTagMode }
  const inMenu = ({ icon, isOn, set }: Mode) => ({ icon, isChosen: isOn, onClick: () => set(!isOn) })
  // A phone has room for two buttons beside the title.
  const onPhones: readonly MenuItem[] = [
    { id: 'refresh', label: t('refresh'), icon: IconRefresh, onClick: () => void refresh() },
    { id: 'idSort', label: t('idSort'), ...inMenu(idSort) },
    { id: 'tagMode', label: t('tagMode'), ...inMenu(tagMode) },
    { id: 'route', label: t('header.route'), icon: IconRoute, onClick: () => void navigate({ to: '/admin/routing' }) },
  ]
  return (
    <>
      <PageHeader title={t('title')}>
        {!isPhone && (
          <>
            <Tip label={t('refresh')}>
              <ActionIcon variant="default" aria-label={t('refresh')} onClick={() => void refresh()}>
                <IconRefresh size={17} />
              </ActionIcon>
            </Tip>
            <Toggle label={t('header.idSort')} hint={t('idSort')} mode={idSort} />
            <Toggle label={t('header.tagMode')} hint={t('tagMode')} mode={tagMode} />
            <Button
              variant="default"
              leftSection={<IconRoute size={15} />}
              renderRoot={(props) => <Link to="/admin/routing" {...props} />}
            >
              {t('header.route')}
            </Button>
          </>
        )}
        <ListMenu
          before={isPhone ? onPhones : []}
          onImport={() => open({ kind: 'import' })}
          onExport={() => void everyChannel(search).then(save, (error: unknown) => notifyError(toApiError(error)))}
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
      {/* Below the list, which does not wait for it. */}
      {isGuided && (
        <Suspense>
          <div className={classes.steps}>
            <OnboardingChecklist />
          </div>
        </Suspense>
      )}
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

/** A setting of the list, on or off. */
interface Mode {
  readonly icon: Icon
  readonly isOn: boolean
  readonly set: (isOn: boolean) => void
}

interface ToggleProps {
  readonly label: string
  readonly hint: string
  readonly mode: Mode
}

function Toggle({ label, hint, mode: { icon: ToggleIcon, isOn, set } }: ToggleProps) {
  return (
    <Tip label={hint}>
      <Button
        variant={isOn ? 'light' : 'default'}
        leftSection={<ToggleIcon size={15} />}
        aria-pressed={isOn}
        onClick={() => set(!isOn)}
      >
        {label}
      </Button>
    </Tip>
  )
}
