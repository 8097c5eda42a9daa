import { Autocomplete, Button, NumberInput, Select, TextInput } from '@mantine/core'
import { groupRoutes, logType, tokenRoutes, type ErrorCode } from '@tollgate/contract'
import { useClickOutside } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

import { MoneyInput } from '../../components/money-input'
import { useIsPhone } from '../../lib/breakpoints'
import { useRead } from '../../lib/query'
import { useViewer } from '../../lib/session'
import { ExclusionChips } from './exclusion-chips'
import { furtherFilters } from './log-query'
import { logTypes } from './log-row'
import type { LogSearch } from './log-search'
import classes from './logs.module.css'
import { ChannelFilter, UserFilter } from './searched-filters'

interface FilterFieldsProps {
  readonly search: LogSearch
  readonly onChange: (change: LogSearch) => void
  /** What opened the form; a click there is not one outside. */
  readonly opener: HTMLElement | null
  readonly onClose: () => void
}

/** What the gateway says of a call that an upstream failed; other codes can be typed. */
const errorCodes = [
  'upstream.failed',
  'upstream.unreachable',
  'upstream.timeout',
  'upstream.busy',
  'upstream.rejected',
  'upstream.malformed',
  'upstream.broken',
] as const satisfies ErrorCode[]

/** All filters in one form; they apply together. */
export function FilterFields({ search, onChange, opener, onClose }: FilterFieldsProps) {
  const { t } = useTranslation('logs')
  const { isAdmin } = useViewer()
  const isPhone = useIsPhone()
  const [draft, setDraft] = useState<LogSearch>(() => ofFilters(search))
  const set = (change: LogSearch) => setDraft((before) => ({ ...before, ...change }))
  const groups = useGroupNames(isAdmin)
  const tokens = useRead(tokenRoutes.listTokens, { query: { p: 0, size: 100 } })
  const tokenNames = [...new Set(tokens.data?.items.map(({ name }) => name))]
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
        <Select
          label={t('filter.type')}
          autoFocus
          comboboxProps={inPlace}
          clearable
          data={logTypes.map((name) => ({ value: String(logType[name]), label: t(`type.${name}`) }))}
          value={draft.type?.toString() ?? null}
          onChange={(type) => set({ type: type === null ? undefined : Number(type) })}
        />
        {isAdmin && <ChannelFilter value={draft.channel} onChange={(channel) => set({ channel })} />}
        {isAdmin && <UserFilter value={draft.username} onChange={(username) => set({ username })} />}
        <Autocomplete
          label={t('filter.token')}
          comboboxProps={inPlace}
          data={tokenNames}
          value={draft.token ?? ''}
          onChange={(token) => set({ token: token || undefined })}
        />
        <Autocomplete
          label={t('filter.group')}
          comboboxProps={inPlace}
          data={groups}
          value={draft.group ?? ''}
          onChange={(group) => set({ group: group || undefined })}
        />
        <Autocomplete
          label={t('filter.error')}
          comboboxProps={inPlace}
          data={errorCodes}
          value={draft.error ?? ''}
          onChange={(error) => set({ error: error || undefined })}
        />
        <NumberInput
          label={t('filter.slow')}
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

/** Lists open within the popover, so that a click in one does not close it. */
const inPlace = { withinPortal: false } as const

const positive = (value: number | string) => (Number(value) > 0 ? Math.round(Number(value)) : undefined)

const ofFilters = (search: LogSearch): LogSearch =>
  Object.fromEntries(furtherFilters.map((name) => [name, search[name]]))

function useGroupNames(isAdmin: boolean): string[] {
  const all = useRead(groupRoutes.listGroups, {}, { enabled: isAdmin })
  const own = useRead(groupRoutes.ownGroups, {}, { enabled: !isAdmin })
  return isAdmin ? [...(all.data ?? [])] : Object.keys(own.data ?? {})
}
