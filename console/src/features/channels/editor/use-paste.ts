import type { channelRoutes } from '@tollgate/contract'
import type { ClipboardEvent } from 'react'

import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { readConnection } from './paste-connection'
import { pastedValues } from './pasted-values'
import type { ChannelFormState } from './use-channel-form'

/** A whole connection pasted into one field fills the others too; anything else is pasted unchanged. */
export function useConnectionPaste(form: ChannelFormState, vendors: readonly channelRoutes.ChannelType[]) {
  const { t, language } = useTranslation('channel-editor')
  return (event: ClipboardEvent) => {
    const connection = readConnection(event.clipboardData.getData('text'))
    if (!connection) return
    event.preventDefault()
    form.setValues(pastedValues(connection, form.values, vendors, language))
    notifySuccess(t('pasted'))
  }
}
