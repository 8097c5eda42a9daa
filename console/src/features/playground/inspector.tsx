import { Drawer, Group, Text } from '@mantine/core'

import classes from './inspector.module.css'
import { FocusBack } from '../../components/focus-back'
import { ownEscape } from '../../components/own-escape'
import { PanelTabs } from '../../components/panel-tabs'
import { useIsPhone } from '../../lib/browser/breakpoints'
import { useTranslation } from '../../lib/text/i18n'
import { type Inspected, useChat } from './hooks/chat-context'
import { useKnownChoices } from './hooks/use-choices'
import { bodyOf, type ChatBody } from './session/request-body'
import { CodeSnippet } from '../../components/texts/code-snippet'
import { useServerAddress } from '../../lib/url/use-server-address'
import { CodeBlock } from '../../components/texts/code-block'
import type { Raw } from './chat/raw-log'
import { CopyButton } from '../../components/copy-button'
import { useFormat } from '../../lib/text/use-format'

interface InspectorProps {
  readonly inspected: Inspected
  readonly onClose: () => void
}

/** The raw data of a call, and the call as code. */
export function Inspector({ inspected: { answerId }, onClose }: InspectorProps) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const { ownGroup } = useKnownChoices()
  const isPhone = useIsPhone()
  const raw = answerId === undefined ? undefined : chat.raw.of(answerId)
  const session = chat.get()
  const next = bodyOf(session, session.lanes[0]?.id ?? '', undefined, { group: ownGroup, system: t('system.default') })
  const hasWire = answerId !== undefined
  const wire = [
    { name: 'request', label: t('inspect.request'), panel: <RawRequest raw={raw} /> },
    { name: 'response', label: t('inspect.response'), panel: <RawResponse raw={raw} /> },
  ]
  const code = { name: 'code', label: t('inspect.code'), panel: <CallCode body={raw?.request ?? next} /> }
  return (
    <Drawer
      opened
      onClose={onClose}
      {...ownEscape(onClose)}
      position="right"
      size={isPhone ? '100%' : 680}
      title={t(hasWire ? 'inspect.raw' : 'inspect.code')}
      closeButtonProps={{ 'aria-label': t('common:close') }}
    >
      <FocusBack />
      <PanelTabs tabs={hasWire ? [...wire, code] : [code]} />
    </Drawer>
  )
}

/** Placeholder of the reader's key. */
const placeholder = 'sk-...'

/** The call as a program makes it. The group is that of its key; streaming is up to the program. */
function CallCode({ body }: { readonly body: ChatBody }) {
  const { t } = useTranslation('playground')
  const address = useServerAddress()
  const { model, messages, group: _group, stream: _stream, stream_options: _options, ...parameters } = body
  return (
    <>
      <Text size="xs" c="dimmed" mb={8}>
        {t('inspect.codeHint')}
      </Text>
      <CodeSnippet
        address={address}
        apiKey={placeholder}
        model={model}
        messages={messages.length > 0 ? shorten(messages) : undefined}
        parameters={parameters}
        hasDialects
      />
    </>
  )
}

/** The request body; images are shortened, but copied in full. */
function RawRequest({ raw }: { readonly raw: Raw | undefined }) {
  const { t } = useTranslation('playground')
  if (!raw) return <Text size="sm">{t('inspect.gone')}</Text>
  return (
    <>
      <Text size="xs" c="dimmed" ff="monospace" mb={6}>
        {t('inspect.address')}
      </Text>
      <CodeBlock
        code={JSON.stringify(shorten(raw.request), null, 2)}
        copied={JSON.stringify(raw.request, null, 2)}
        language="json"
      />
    </>
  )
}

/** The frames of the response as received. */
function RawResponse({ raw }: { readonly raw: Raw | undefined }) {
  const { t } = useTranslation('playground')
  const { number } = useFormat()
  if (!raw) return <Text size="sm">{t('inspect.gone')}</Text>
  const { status, frames, left } = raw
  const text = frames.map((frame) => `data: ${frame}`).join('\n\n')
  return (
    <>
      <Group justify="space-between" mb={6}>
        <Text size="xs" c="dimmed" className="figures">
          {t('inspect.frames', { status: status ?? '-', count: frames.length })}
        </Text>
        <CopyButton text={text} label={t('inspect.copyResponse')} />
      </Group>
      <pre className={classes.frames} tabIndex={0}>
        {text}
      </pre>
      {left > 0 && (
        <Text size="xs" c="dimmed" mt={6}>
          {t('inspect.left', { characters: number(left) })}
        </Text>
      )}
    </>
  )
}

const maxCharacters = 300

/** Returns a copy with images shortened for reading. */
function shorten<T>(value: T): T {
  return JSON.parse(JSON.stringify(value, (_, member: unknown) => (typeof member === 'string' ? cut(member) : member)))
}

const cut = (text: string): string =>
  text.startsWith('data:') && text.length > maxCharacters ? `${text.slice(0, 64)}…` : text
