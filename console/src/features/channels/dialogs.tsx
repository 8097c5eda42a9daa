import { lazy, Suspense } from 'react'
import { channelRoutes, channelStatus } from '@tollgate/contract'

import { useTranslation } from '../../lib/text/i18n'
import { type Run, useRun } from '../../lib/api/run-each'
import type { Channel } from './channel-row'
import { call } from '../../lib/api/api'
import { channelReads } from './channel-data'

const ChannelDrawer = lazy(async () => ({ default: (await import('./editor/channel-drawer')).ChannelDrawer }))
const TagDrawer = lazy(async () => ({ default: (await import('./editor/tag-drawer')).TagDrawer }))
const KeysDialog = lazy(async () => ({ default: (await import('./editor/keys-dialog')).KeysDialog }))
const ImportDialog = lazy(async () => ({
  default: (await import('./editor/import-export/import-dialog')).ImportDialog,
}))
const TestDialog = lazy(async () => ({ default: (await import('./test-dialog')).TestDialog }))
const RunDialog = lazy(async () => ({ default: (await import('../../components/dialogs/run-dialog')).RunDialog }))

/** The dialog over the list, one at a time. */
export type Opened =
  | { readonly kind: 'keys' | 'test'; readonly channel: Channel }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'import' }

interface DialogsProps {
  readonly opened: Opened | undefined
  readonly onClose: () => void
  /** From the address: `new`, or an id. */
  readonly edit: string | undefined
  readonly onCloseEditor: () => void
  readonly run: Run<RunKind, Channel> | undefined
  readonly onCloseRun: () => void
}

export function Dialogs({ opened, onClose, edit, onCloseEditor, run, onCloseRun }: DialogsProps) {
  const { t } = useTranslation('channels')
  return (
    <Suspense>
      {edit !== undefined && <ChannelDrawer id={edit === 'new' ? 'new' : Number(edit)} onClose={onCloseEditor} />}
      {opened?.kind === 'keys' && <KeysDialog channel={opened.channel} onClose={onClose} />}
      {opened?.kind === 'test' && <TestDialog channel={opened.channel} onClose={onClose} />}
      {opened?.kind === 'tag' && <TagDrawer tag={opened.tag} onClose={onClose} />}
      {opened?.kind === 'import' && <ImportDialog onClose={onClose} />}
      {run && <RunDialog title={t(`run.title.${run.kind}`)} {...run} onClose={onCloseRun} />}
    </Suspense>
  )
}

export type RunKind = 'test' | 'enable' | 'disable'

const setStatus = (id: number, status: number) => call(channelRoutes.updateChannel, { body: { id, status } })

const works: Record<RunKind, (channel: Channel) => Promise<unknown>> = {
  test: ({ id }) => call(channelRoutes.testChannel, { params: { id } }),
  enable: ({ id }) => setStatus(id, channelStatus.enabled),
  disable: ({ id }) => setStatus(id, channelStatus.disabled),
}

/** Bulk operations on channels. */
export function useRuns() {
  const { t } = useTranslation('channels')
  return useRun({ works, reads: channelReads, doneText: (kind, count) => t(`run.done.${kind}`, { count }) })
}
