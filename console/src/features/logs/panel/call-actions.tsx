import { Button } from '@mantine/core'
import { IconBraces, IconMessage2, IconTerminal2 } from '@tabler/icons-react'
import { readLogDetails } from '@tollgate/contract'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'

import { copyText } from '../../../lib/browser/copy-text'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { handDraft } from '../../../lib/url/playground-draft'
import { snippetOf } from '../../../lib/text/snippets/snippet-of'
import { useServerAddress } from '../../../lib/url/use-server-address'
import type { LogRow } from '../log-row'

const ManualCopy = lazy(async () => ({ default: (await import('../../../components/manual-copy')).ManualCopy }))

interface CallActionsProps {
  readonly row: LogRow
  /** The conversation is still loading and cannot be exported yet. */
  readonly isPartial: boolean
}

/** Exports the call as a command, as data, or into the playground. */
export function CallActions({ row, isPartial }: CallActionsProps) {
  const { t } = useTranslation('logs')
  const navigate = useNavigate()
  const address = useServerAddress()
  const [refused, setRefused] = useState<string | undefined>()
  const copy = async (text: string) => {
    if (await copyText(text)) notifySuccess(t('action.copied'))
    else setRefused(text)
  }
  const messages = messagesOf(row)
  const curl = snippetOf('curl', {
    address,
    apiKey: 'sk-…',
    model: row.model_name,
    ...(messages.length > 0 && { messages }),
    parameters: row.is_stream ? { stream: true } : {},
  })
  const openInPlayground = () => {
    handDraft({ model: row.model_name, messages: [...messages] })
    void navigate({ to: '/playground', search: { model: row.model_name, draft: 1 } })
  }
  return (
    <>
      <Button
        variant="default"
        disabled={isPartial}
        leftSection={<IconTerminal2 size={14} />}
        onClick={() => void copy(curl)}
      >
        {t('action.curl')}
      </Button>
      <Button
        variant="default"
        disabled={isPartial}
        leftSection={<IconBraces size={14} />}
        onClick={() => void copy(JSON.stringify({ ...row, other: readLogDetails(row.other) }, null, 2))}
      >
        {t('action.json')}
      </Button>
      <Button
        variant="default"
        disabled={isPartial}
        leftSection={<IconMessage2 size={14} />}
        onClick={openInPlayground}
      >
        {t('action.playground')}
      </Button>
      <Suspense>
        {refused !== undefined && <ManualCopy text={refused} onClose={() => setRefused(undefined)} />}
      </Suspense>
    </>
  )
}

/** Returns the conversation as far as the row kept it. The channel adds its own system prompt again. */
function messagesOf({ other }: Pick<LogRow, 'other'>): { readonly role: string; readonly content: string }[] {
  const { context, input_content: input } = readLogDetails(other)
  return [context, input].flatMap((text) => (text ? [{ role: 'user', content: text }] : []))
}
