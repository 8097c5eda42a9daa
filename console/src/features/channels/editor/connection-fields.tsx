import { Anchor, Textarea, TextInput } from '@mantine/core'
import type { ClipboardEvent } from 'react'
import type { channelRoutes } from '@tollgate/contract'

import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { isElsewhere, keysIn, takesOwnLogins, withoutSlash, withoutVersion } from './channel-form'
import { readAddress } from './pasted-address'
import { addressFor, pastedValues } from './pasted-values'
import type { ChannelFormState } from './use-channel-form'
import { useChannelRights } from '../channel-data'
import { notifySuccess } from '../../../lib/browser/notify'
import { readConnection } from './paste-connection'

interface AddressFieldProps {
  readonly form: ChannelFormState
  readonly vendor: channelRoutes.ChannelType | undefined
  readonly vendors: readonly channelRoutes.ChannelType[]
  readonly hasExtraVersion: boolean
}

/** The base URL: empty for the vendor's default, or as the vendor's own field describes it. */
export function AddressField({ form, vendor, vendors, hasExtraVersion }: AddressFieldProps) {
  const { t } = useTranslation('channel-editor')
  const { language } = useFormat()
  const onPaste = useConnectionPaste(form, vendors)
  const own = vendor?.fields.find(({ name }) => name === 'base_url')
  const address = form.values.base_url
  const input = form.getInputProps('base_url')
  return (
    <TextInput
      {...input}
      label={own?.label[language] ?? t('field.address')}
      description={
        hasExtraVersion ? (
          <>
            {t('version.hint')}{' '}
            <Anchor
              component="button"
              type="button"
              fz="inherit"
              onClick={() => form.setFieldValue('base_url', withoutVersion(address))}
            >
              {t('version.remove')}
            </Anchor>
          </>
        ) : (
          (own?.hint?.[language] ?? (vendor?.base_url ? t('field.addressHint') : undefined))
        )
      }
      placeholder={own?.placeholder ?? vendor?.base_url ?? 'https://api.example.com'}
      withAsterisk={vendor?.base_url === null || own?.required}
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      onPaste={onPaste}
      onBlur={() => form.setFieldValue('base_url', trimAddress(address, vendor))}
    />
  )
}

/** An address that was typed with the call at its end is cut to the vendor's form. */
function trimAddress(address: string, vendor: channelRoutes.ChannelType | undefined): string {
  const read = readAddress(address)
  return vendor && read.form ? addressFor(vendor, read) : withoutSlash(address)
}

interface KeyFieldProps {
  readonly form: ChannelFormState
  readonly vendor: channelRoutes.ChannelType | undefined
  readonly vendors: readonly channelRoutes.ChannelType[]
  /** How many keys the channel has; they are never shown. Absent for a new channel. */
  readonly storedKeys: number | undefined
}

/** New keys. Stored keys stay on the server. */
export function KeyField({ form, vendor, vendors, storedKeys }: KeyFieldProps) {
  const { t } = useTranslation('channel-editor')
  const { language } = useFormat()
  const { mayEnterKeys } = useChannelRights()
  const onPaste = useConnectionPaste(form, vendors)
  const count = keysIn(form.values.key, vendor?.key.several ?? true).length
  const isTyped = form.values.key.trim() !== ''
  const hasStored = storedKeys !== undefined && storedKeys > 0
  const isOptional = storedKeys !== undefined || takesOwnLogins(form.values)
  const isMoved = hasStored && isElsewhere(form.getInitialValues(), form.values, vendor?.base_url ?? null) && !isTyped
  return (
    <Textarea
      {...form.getInputProps('key')}
      label={isTyped && count > 1 ? t('field.keysTyped', { count }) : t('field.key')}
      description={
        <>
          {!mayEnterKeys && `${t('field.keyNotAllowed')} `}
          {hasStored && `${isMoved ? t('field.keyElsewhere') : t('field.keyStored', { count: storedKeys })} `}
          {vendor ? vendor.key.hint[language] : t('field.keyHint')}
        </>
      }
      placeholder={hasStored ? t('field.keyUnchanged') : undefined}
      disabled={!mayEnterKeys}
      withAsterisk={!isOptional}
      autosize
      minRows={vendor?.key.several === false ? 4 : 2}
      maxRows={10}
      autoComplete="off"
      autoCorrect="off"
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: 'var(--text-xs)' } }}
      onPaste={onPaste}
    />
  )
}

/** A whole connection pasted into one field fills the others too; anything else is pasted unchanged. */
function useConnectionPaste(form: ChannelFormState, vendors: readonly channelRoutes.ChannelType[]) {
  const { t, language } = useTranslation('channel-editor')
  return (event: ClipboardEvent) => {
    const connection = readConnection(event.clipboardData.getData('text'))
    if (!connection) return
    event.preventDefault()
    form.setValues(pastedValues(connection, form.values, vendors, language))
    notifySuccess(t('pasted'))
  }
}
