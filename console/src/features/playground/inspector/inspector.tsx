import { Drawer } from '@mantine/core'

import { FocusBack } from '../../../components/focus-back'
import { ownEscape } from '../../../components/own-escape'
import { PanelTabs } from '../../../components/panel-tabs'
import { useIsPhone } from '../../../lib/browser/breakpoints'
import { useTranslation } from '../../../lib/text/i18n'
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
