import { TextInput, UnstyledButton } from '@mantine/core'
import type { channelRoutes } from '@tollgate/contract'

import classes from './vendor-tiles.module.css'
import { GroupsSelect } from '../../../components/combobox/groups-select'
import { SearchSelect } from '../../../components/combobox/search-select'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { AddressField, KeyField } from './connection-fields'
import { hasOwnName, vendorName } from './pasted-values'
import type { ChannelFormState } from './use-channel-form'
import { VendorField } from './vendor-field'
import { VendorMark } from '../../../domain/vendor-mark'

interface MainFieldsProps {
  readonly form: ChannelFormState
  readonly channel: channelRoutes.ChannelEntity | undefined
  readonly vendor: channelRoutes.ChannelType | undefined
  readonly vendors: readonly channelRoutes.ChannelType[]
  readonly hasExtraVersion: boolean
}

/** Fields of every channel, and those that its vendor declares. */
export function MainFields({ form, channel, vendor, vendors, hasExtraVersion }: MainFieldsProps) {
  const { t } = useTranslation('channel-editor')
  const { language } = useFormat()
  const choices = vendors.map(({ type, name }) => ({ value: String(type), label: name[language] }))
  // A new channel has the vendor's name until it is given another.
  const keepsName = channel !== undefined || hasOwnName(form.values, vendors, language)
  const choose = (type: number | '') =>
    form.setValues({ type, ...(!keepsName && { name: vendorName(type, vendors, language) }) })
  // A channel of a vendor unknown to this gateway keeps its type.
  if (channel && !vendors.some(({ type }) => type === channel.type)) {
    choices.push({ value: String(channel.type), label: t('unknownType', { type: channel.type }) })
  }
  return (
    <>
      {!channel && <VendorTiles vendors={vendors} value={form.values.type} onChange={choose} />}
      <SearchSelect
        {...form.getInputProps('type')}
        label={t('field.type')}
        placeholder={t('field.typePlaceholder')}
        choices={choices}
        value={form.values.type === '' ? null : String(form.values.type)}
        onChange={(type) => choose(type === null ? '' : Number(type))}
        withAsterisk
        data-autofocus={channel ? undefined : true}
      />
      <TextInput
        {...form.getInputProps('name')}
        label={t('field.name')}
        maxLength={255}
        withAsterisk
        data-autofocus={channel ? true : undefined}
      />
      <AddressField form={form} vendor={vendor} vendors={vendors} hasExtraVersion={hasExtraVersion} />
      <KeyField form={form} vendor={vendor} vendors={vendors} storedKeys={channel?.keys.length} />
      {vendor?.fields
        .filter(({ name }) => name !== 'base_url')
        .map((field) => (
          <VendorField key={field.name} field={field} form={form} />
        ))}
      <GroupsSelect
        {...form.getInputProps('groups')}
        label={t('field.groups')}
        description={t('field.groupsHint')}
        withAsterisk
      />
    </>
  )
}

interface VendorTilesProps {
  readonly vendors: readonly channelRoutes.ChannelType[]
  readonly value: number | ''
  readonly onChange: (type: number) => void
}

/** Tiles of the most common vendors; the list below has all of them. */
function VendorTiles({ vendors, value, onChange }: VendorTilesProps) {
  const { t } = useTranslation('channel-editor')
  const { language } = useFormat()
  const popular = vendors.filter(({ is_popular: isPopular }) => isPopular)
  if (popular.length === 0) return null
  return (
    <div className={classes.tiles} role="group" aria-label={t('popularVendors')}>
      {popular.map(({ type, id, name }) => (
        <UnstyledButton
          key={type}
          className={classes.tile}
          aria-pressed={type === value}
          title={name[language]}
          onClick={() => onChange(type)}
        >
          <VendorMark id={id} name={name[language]} size="large" />
          <span className={classes.name}>{name[language]}</span>
        </UnstyledButton>
      ))}
    </div>
  )
}
