import { Textarea } from '@mantine/core'
import type { channelRoutes } from '@tollgate/contract'

import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { useChannelRights } from '../use-channel-rights'
import { isElsewhere, keysIn } from './channel-form'
import type { ChannelFormState } from './use-channel-form'
import { useConnectionPaste } from './use-paste'

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
  const isRequested =
    storedKeys !== undefined && isElsewhere(form.getInitialValues(), form.values, vendor?.base_url ?? null) && !isTyped
  return (
    <Textarea
      {...form.getInputProps('key')}
      label={isTyped && count > 1 ? t('field.keysTyped', { count }) : t('field.key')}
      description={
        <>
          {!mayEnterKeys && `${t('field.keyNotAllowed')} `}
          {storedKeys !== undefined &&
            `${isRequested ? t('field.keyElsewhere') : t('field.keyStored', { count: storedKeys })} `}
          {vendor ? vendor.key.hint[language] : t('field.keyHint')}
        </>
      }
      placeholder={storedKeys === undefined || isRequested ? undefined : t('field.keyUnchanged')}
      disabled={!mayEnterKeys}
      withAsterisk={storedKeys === undefined || isRequested}
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
