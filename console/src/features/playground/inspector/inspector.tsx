import { Drawer, Tabs } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { FocusBack } from '../../../components/focus-back'
import { ownEscape } from '../../../components/own-escape'
import { useIsPhone } from '../../../lib/breakpoints'
import { useChat } from '../hooks/chat-context'
import { useKnownChoices } from '../hooks/choices-context'
import { bodyOf } from '../session/request-body'
import { CallCode } from './call-code'
import type { Inspected } from './inspect-context'
import { RawRequest } from './raw-request'
import { RawResponse } from './raw-response'

interface InspectorProps {
  readonly inspected: Inspected
  readonly onClose: () => void
}

/** A call as it went over the wire, and as a program makes it. */
export function Inspector({ inspected: { answerId }, onClose }: InspectorProps) {
  const { t } = useTranslation(['playground', 'common'])
  const chat = useChat()
  const { ownGroup } = useKnownChoices()
  const isPhone = useIsPhone()
  const raw = answerId === undefined ? undefined : chat.raw.of(answerId)
  const session = chat.get()
  const next = bodyOf(session, session.lanes[0]?.id ?? '', undefined, { group: ownGroup, system: t('system.default') })
  const hasWire = answerId !== undefined
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
      <Tabs defaultValue={hasWire ? 'request' : 'code'} keepMounted={false}>
        {hasWire && (
          <Tabs.List mb="sm">
            <Tabs.Tab value="request">{t('inspect.request')}</Tabs.Tab>
            <Tabs.Tab value="response">{t('inspect.response')}</Tabs.Tab>
            <Tabs.Tab value="code">{t('inspect.code')}</Tabs.Tab>
          </Tabs.List>
        )}
        <Tabs.Panel value="request">
          <RawRequest raw={raw} />
        </Tabs.Panel>
        <Tabs.Panel value="response">
          <RawResponse raw={raw} />
        </Tabs.Panel>
        <Tabs.Panel value="code">
          <CallCode body={raw?.request ?? next} />
        </Tabs.Panel>
      </Tabs>
    </Drawer>
  )
}
