import { Alert, CloseButton, Skeleton, Stack, TextInput } from '@mantine/core'
import { IconLock, IconSearch } from '@tabler/icons-react'
import { isOptionKey, optionOf, type OptionKey } from '@tollgate/contract'
import { getRouteApi, useBlocker } from '@tanstack/react-router'
import { lazy, Suspense, useRef, useState, type SubmitEvent } from 'react'

import { ErrorState, StateMessage } from '../../components/page/state-message'
import { PageHeader } from '../../components/page/page-header'
import { useTranslation } from '../../lib/text/i18n'
import { useTypedText } from '../../lib/url/use-typed-text'
import { notifySuccess, notifyWarning } from '../../lib/browser/notify'
import { useViewer } from '../../lib/api/session'
import { OnePage } from './settings-content'
import type { risksOf } from './risks'
import { SettingsMenu, SaveBar } from './settings-frame'
import { keysOf, pagesFor, type SettingsPageEntry } from './settings-pages'
import classes from './settings.module.css'
import { useSettings, type SaveResult } from './use-settings'

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../components/dialogs/confirm-dialog')).ConfirmDialog,
}))

const RiskDialog = lazy(async () => ({ default: (await import('./risk-dialog')).RiskDialog }))
const FoundOptions = lazy(async () => ({ default: (await import('./found-options')).FoundOptions }))
const HistoryDrawer = lazy(async () => ({ default: (await import('./history-drawer')).HistoryDrawer }))

const route = getRouteApi('/admin/settings')

/** The site's settings, generated from the list of options. Changes of one page are kept while another is shown. */
export function SettingsPage() {
  const { t } = useTranslation('settings')
  const settings = useSettings()
  const { page: name, keyword = '', history } = route.useSearch()
  const navigate = route.useNavigate()
  const form = useRef<HTMLFormElement>(null)
  const [pendingRisks, setPendingRisks] = useState<ReturnType<typeof risksOf>>([])
  const blocker = useLeaveGuard(settings.changed.length > 0)
  const { grants } = useViewer()
  const pages = pagesFor(grants).filter(({ sections }) => sections.some((one) => keysOf(one).some(settings.isShown)))
  const page = pages.find((one) => one.name === name) ?? pages[0]
  const isSearching = keyword.trim() !== ''
  const typed = useTypedText(
    keyword,
    (text) => void navigate({ search: { page: page?.name, keyword: text || undefined }, replace: true }),
  )

  const openHistory = (key: OptionKey | undefined) =>
    void navigate({ search: (search) => ({ ...search, history: key }), replace: key === undefined })

  const report = (result: SaveResult) => {
    const faulty = settings.changed.find((key) => settings.fault(key) || settings.missing(key).length > 0)
    switch (result) {
      case 'nothing':
        return notifyWarning(t('saved.nothing'))
      case 'saved':
        return notifySuccess(t('saved.all'))
      case 'partly':
        return notifyWarning(t('saved.partly'))
      case 'failed':
        return notifyWarning(t('saved.failed'))
      case 'faulty':
        notifyWarning(t('saved.faulty'))
        return faulty && showOption(faulty)
    }
  }
  const showOption = async (key: OptionKey) => {
    const home = pages.find((one) => hasOption(one, key))
    if (home && (home !== page || isSearching)) await navigate({ search: { page: home.name } })
    form.current?.querySelector<HTMLElement>(`[data-option="${key}"] :is(input, textarea, select)`)?.focus()
  }
  const saveUnlessRisky = async () => {
    // Faults are reported before anything is confirmed.
    const risks = settings.isFaulty ? [] : (await import('./risks')).risksOf(settings)
    if (risks.length > 0) setPendingRisks(risks)
    else await report(await settings.save())
  }
  const save = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (!settings.isSaving) saveUnlessRisky().catch(() => report('failed'))
  }

  return (
    <>
      <PageHeader title={t('title')}>
        <TextInput
          aria-label={t('search')}
          placeholder={t('search')}
          leftSection={<IconSearch size={15} />}
          className={classes.search}
          data-search-field
          value={typed.text}
          onChange={({ currentTarget }) => typed.type(currentTarget.value)}
          rightSection={
            typed.text !== '' && <CloseButton size="sm" aria-label={t('clearSearch')} onClick={() => typed.set('')} />
          }
        />
      </PageHeader>
      {settings.error ? (
        <ErrorState error={settings.error} onRetry={settings.retry} />
      ) : settings.isLoading ? (
        <Waiting />
      ) : !page ? (
        <StateMessage icon={IconLock} title={t('none')} isBarred />
      ) : (
        <div className={classes.layout}>
          <SettingsMenu
            pages={pages}
            current={isSearching ? undefined : page}
            isChanged={(one) => settings.changed.some((key) => hasOption(one, key))}
          />
          <form ref={form} onSubmit={save} noValidate className={classes.content}>
            {name !== undefined && name !== page.name && !isSearching && <Alert mb="md">{t('pageNotShown')}</Alert>}
            {isSearching ? (
              <Suspense fallback={<Waiting />}>
                <FoundOptions pages={pages} keyword={keyword} settings={settings} onHistory={openHistory} />
              </Suspense>
            ) : (
              // With all that its sections need: what comes later would push the sections below it.
              <Suspense fallback={<WaitingSections />}>
                <OnePage page={page} settings={settings} onHistory={openHistory} />
              </Suspense>
            )}
            <SaveBar count={settings.changed.length} isSaving={settings.isSaving} onDiscard={settings.discard} />
          </form>
        </div>
      )}
      {history !== undefined && isOptionKey(history) && settings.isShown(history) && (
        <Suspense>
          <HistoryDrawer optionKey={history} settings={settings} onClose={() => openHistory(undefined)} />
        </Suspense>
      )}
      {pendingRisks.length > 0 && (
        <Suspense>
          <RiskDialog
            risks={pendingRisks}
            settings={settings}
            onConfirm={() => void settings.save().then(report)}
            onClose={() => setPendingRisks([])}
            onCancel={() => {
              for (const key of pendingRisks.flatMap(({ keys }) => keys)) settings.setDraft(key, undefined)
            }}
          />
        </Suspense>
      )}
      {blocker.status === 'blocked' && (
        <Suspense>
          <ConfirmDialog
            title={t('leave.title')}
            question={t('leave.question', { count: settings.changed.length })}
            confirmText={t('leave.confirm')}
            onConfirm={blocker.proceed}
            onClose={blocker.reset}
          />
        </Suspense>
      )}
    </>
  )
}

const hasOption = ({ sections }: SettingsPageEntry, key: OptionKey) =>
  sections.some((section) => section === optionOf(key).section)

/** Asks before leaving the page with unsaved changes. */
const useLeaveGuard = (isDirty: boolean) =>
  useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })

/** The menu and the sections of the first page. */
const Waiting = () => (
  <div className={classes.layout} aria-busy>
    <Stack gap={6}>
      {Array.from({ length: 18 }, (_, line) => (
        <Skeleton key={line} h={28} />
      ))}
    </Stack>
    <WaitingSections />
  </div>
)

const WaitingSections = () => (
  <Stack gap="lg" className={classes.content}>
    {[120, 240, 160].map((height) => (
      <div key={height}>
        <Skeleton h={16} w={120} mb="xs" />
        <Skeleton h={height} radius="lg" />
      </div>
    ))}
  </Stack>
)
