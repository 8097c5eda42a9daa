import type { channelRoutes } from '@tollgate/contract'
import type { ClipboardEvent } from 'react'

import { useTranslation } from '../../../lib/i18n'
import { notifySuccess } from '../../../lib/notify'
import { withoutSlash } from './channel-form'
import { readConnection, vendorOf, type Connection } from './paste-connection'
import type { ChannelFormState } from './use-channel-form'

type Vendor = channelRoutes.ChannelType

/** A whole connection pasted into one field fills the others too; anything else is pasted unchanged. */
export function useConnectionPaste(form: ChannelFormState, vendors: readonly Vendor[]) {
  const { t } = useTranslation('channel-editor')
  return (event: ClipboardEvent) => {
    const connection = readConnection(event.clipboardData.getData('text'))
    if (!connection) return
    event.preventDefault()
    fill(form, connection, vendors)
    notifySuccess(t('pasted'))
  }
}

function fill(form: ChannelFormState, connection: Connection, vendors: readonly Vendor[]) {
  const { baseUrl, key, models, name } = connection
  const { values } = form
  const vendor = vendorOf(connection, vendors) ?? vendors.find(({ type }) => type === values.type)
  const isOwnAddress = baseUrl !== undefined && baseUrl === withoutSlash(vendor?.base_url ?? '')
  form.setValues({
    ...(vendor && { type: vendor.type }),
    ...(key !== undefined && { key }),
    ...(baseUrl !== undefined && { base_url: isOwnAddress ? '' : baseUrl }),
    ...(name !== undefined && values.name === '' && { name }),
    ...(models && { models: [...new Set([...values.models, ...models])] }),
  })
}
