import { Anchor, TextInput } from '@mantine/core'
import type { channelRoutes } from '@tollgate/contract'

import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { endsInVersion, withoutSlash, withoutVersion } from './channel-form'
import { readAddress } from './pasted-address'
import { addressFor } from './pasted-values'
import type { ChannelFormState } from './use-channel-form'
import { useConnectionPaste } from './use-paste'

interface AddressFieldProps {
  readonly form: ChannelFormState
  readonly vendor: channelRoutes.ChannelType | undefined
  readonly vendors: readonly channelRoutes.ChannelType[]
}

/** The base URL: empty for the vendor's default, or as the vendor's own field describes it. */
export function AddressField({ form, vendor, vendors }: AddressFieldProps) {
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
        endsInVersion(address) ? (
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
