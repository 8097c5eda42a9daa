import { Button, NumberInput, TextInput } from '@mantine/core'
import { channelRoutes, logType, userRoutes, type ErrorCode, pageIn, tokenRoutes } from '@tollgate/contract'
import { useClickOutside } from '@mantine/hooks'
import { useState } from 'react'

import classes from '../logs.module.css'
import { ChoiceSelect } from '../../../components/fields/choice-select'
import { ChannelSelect } from '../../../components/combobox/channel-select'
import { choicesOf, typedChoice } from '../../../components/combobox/choice'
import { GroupSelect, OwnGroupSelect } from '../../../components/combobox/group-select'
import { SearchSelect, type SearchSelectProps } from '../../../components/combobox/search-select'
import { UserSelect } from '../../../components/combobox/user-select'
import { MoneyInput } from '../../../components/fields/money-input'
import { useIsPhone } from '../../../lib/browser/breakpoints'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import { ExclusionChips } from './exclusion-chips'
import { furtherFilters } from '../log-query'
import { logTypes } from '../log-row'
import type { LogSearch } from '../log-search'
import { useServerSearch } from '../../../components/combobox/use-server-search'

interface FilterFieldsProps {
  readonly search: LogSearch
  readonly onChange: (change: LogSearch) => void
  /** The opener of the form; a click on it is not an outside click. */
  readonly opener: HTMLElement | null
  readonly onClose: () => void
}

/** Error codes of the gateway for failed upstreams; other codes can be typed. */
const errorCodes = [
  'upstream.failed',
  'upstream.unreachable',
  'upstream.timeout',
  'upstream.busy',
  'upstream.rejected',
  'upstream.malformed',
  'upstream.broken',
] as const satisfies ErrorCode[]
const errorChoices = choicesOf(errorCodes)

/** All filters in one form, applied together. */
export function FilterFields({ search, onChange, opener, onClose }: FilterFieldsProps) {
  const { t } = useTranslation('logs')
  const { may } = useViewer()
  const readsAll = may('logs.read')
  const isPhone = useIsPhone()
  const [draft, setDraft] = useState<LogSearch>(() => ofFilters(search))
  const set = (change: LogSearch) => setDraft((before) => ({ ...before, ...change }))
  const FilteredGroup = readsAll ? GroupSelect : OwnGroupSelect
  const [form, setForm] = useState<HTMLFormElement | null>(null)
  useClickOutside(onClose, null, [form, opener])
  return (
    <form
      ref={setForm}
      className={classes.filterFields}
      role="dialog"
      aria-label={t('filter.more')}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.stopPropagation()
        onClose()
      }}
      onSubmit={(event) => {
        event.preventDefault()
        onChange(draft)
        onClose()
      }}
    >
      <div className={classes.filterGrid}>
        <ChoiceSelect
          label={t('filter.type')}
          autoFocus
          choices={[
            { value: '', label: t('filter.anyType') },
            ...logTypes.map((name) => ({ value: String(logType[name]), label: t(`type.${name}`) })),
          ]}
          value={draft.type?.toString() ?? ''}
          onChange={(type) => set({ type: type === '' ? undefined : Number(type) })}
        />
        {readsAll && (
          <ChannelField
            canSearch={may(channelRoutes.searchChannels.access)}
            channel={draft.channel}
            onChange={(channel) => set({ channel })}
          />
        )}
        {readsAll && (
          <UserField
            canSearch={may(userRoutes.searchUsers.access)}
            username={draft.username}
            onChange={(username) => set({ username })}
          />
        )}
        <TokenSelect
          {...field}
          free={typedChoice}
          label={t('filter.token')}
          value={draft.token ?? null}
          onChange={(token) => set({ token: token ?? undefined })}
        />
        <FilteredGroup
          {...field}
          free={typedChoice}
          label={t('filter.group')}
          value={draft.group ?? null}
          onChange={(group) => set({ group: group ?? undefined })}
        />
        <SearchSelect
          {...field}
          free={typedChoice}
          label={t('filter.error')}
          choices={errorChoices}
          value={draft.error ?? null}
          onChange={(error) => set({ error: error ?? undefined })}
        />
        <NumberInput
          label={t('filter.slow')}
          placeholder="10 s"
          suffix=" s"
          min={0}
          allowDecimal={false}
          value={draft.slow ?? ''}
          onChange={(slow) => set({ slow: positive(slow) })}
        />
        <MoneyInput
          label={t('filter.cost')}
          value={draft.cost ?? ''}
          onChange={(cost) => set({ cost: positive(cost) })}
        />
        <TextInput
          label={t('filter.request')}
          value={draft.request ?? ''}
          onChange={({ currentTarget }) => set({ request: currentTarget.value.trim() || undefined })}
        />
        <Button type="submit">{t('filter.apply')}</Button>
      </div>
      {isPhone && search.not && (
        <div className={classes.chips}>
          <ExclusionChips search={search} onChange={onChange} />
        </div>
      )}
    </form>
  )
}

interface ChannelFieldProps {
  /** Otherwise the reader only knows the channels in the log. */
  readonly canSearch: boolean
  readonly channel: number | undefined
  readonly onChange: (channel: number | undefined) => void
}

function ChannelField({ canSearch, channel, onChange }: ChannelFieldProps) {
  const { t } = useTranslation('logs')
  const label = t('filter.channel')
  if (canSearch) return <ChannelSelect {...field} label={label} value={channel} onChange={onChange} />
  return (
    <NumberInput
      label={label}
      prefix="#"
      min={1}
      allowDecimal={false}
      hideControls
      value={channel ?? ''}
      onChange={(id) => onChange(positive(id))}
    />
  )
}

interface UserFieldProps {
  readonly canSearch: boolean
  readonly username: string | undefined
  readonly onChange: (username: string | undefined) => void
}

function UserField({ canSearch, username, onChange }: UserFieldProps) {
  const { t } = useTranslation('logs')
  const label = t('filter.username')
  if (canSearch)
    return (
      <UserSelect {...field} label={label} value={username ?? null} onChange={(name) => onChange(name ?? undefined)} />
    )
  return (
    <TextInput
      label={label}
      value={username ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value.trim() || undefined)}
    />
  )
}

/** Lists open inside the popover, so that a click in one does not close it. */
const field = { isInPlace: true, isClearable: true } as const

/** Deleted records, or other users', can still be searched for. */
const positive = (value: number | string) => (Number(value) > 0 ? Math.round(Number(value)) : undefined)

const ofFilters = (search: LogSearch): LogSearch =>
  Object.fromEntries(furtherFilters.map((name) => [name, search[name]]))

type TokenSelectProps = Omit<SearchSelectProps, 'choices' | 'chosen' | 'search'>

/** Selects one of the reader's tokens by part of its name. Tokens of other users can only be typed, where free text is allowed. */
function TokenSelect(props: TokenSelectProps) {
  const { search, choices } = useServerSearch({
    route: tokenRoutes.searchTokens,
    query: (keyword) => ({ query: { keyword, p: 0, size: 20 } }),
    choices: (found) => {
      // Names are not unique, and the name is the value.
      const byName = new Map(pageIn(found).items.map((token) => [token.name, token]))
      return [...byName.values()].map(({ id, name }) => ({ value: name, label: name, mark: `#${id}` }))
    },
  })
  return <SearchSelect {...props} choices={choices} search={search} />
}
