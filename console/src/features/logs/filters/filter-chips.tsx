import { Button, UnstyledButton } from '@mantine/core'
import { IconFilter, IconX } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { useIsPhone } from '../../../lib/browser/breakpoints'
import { useTranslation } from '../../../lib/text/i18n'
import { useFormat } from '../../../lib/text/use-format'
import { ChannelName } from '../channel-name'
import { excludedValues } from './exclusions'
import { furtherFilters, type FurtherFilter } from '../log-query'
import { typeNameOf } from '../log-row'
import type { LogSearch } from '../log-search'
import classes from '../logs.module.css'

const ExclusionChips = lazy(async () => ({ default: (await import('./exclusion-chips')).ExclusionChips }))
const FilterFields = lazy(async () => ({ default: (await import('./filter-fields')).FilterFields }))

interface FilterChipsProps {
  readonly search: LogSearch
  readonly onChange: (change: LogSearch) => void
}

/**
 * One button for all filters, and a chip for each active one: a click edits it, its close button removes it. On phones only the button,
 * which shows how many are active.
 */
export function FilterChips({ search, onChange }: FilterChipsProps) {
  const { t } = useTranslation('logs')
  const [isOpen, setOpen] = useState(false)
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const close = () => {
    setOpen(false)
    button?.focus()
  }
  const isPhone = useIsPhone()
  const set = furtherFilters.filter((name) => search[name] !== undefined)
  const excluded = excludedValues(search.not)
  const count = set.length + excluded.length
  return (
    <>
      <span className={classes.filters}>
        <Button
          ref={setButton}
          fullWidth
          variant={count > 0 ? 'light' : 'default'}
          leftSection={<IconFilter size={14} />}
          aria-expanded={isOpen}
          aria-haspopup="dialog"
          onClick={() => setOpen(!isOpen)}
        >
          {count > 0 ? t('filter.moreSet', { count }) : t('filter.more')}
        </Button>
        <Suspense>
          {isOpen && <FilterFields search={search} onChange={onChange} opener={button} onClose={close} />}
        </Suspense>
      </span>
      {!isPhone &&
        set.map((name) => (
          <span key={name} className={classes.chip}>
            <UnstyledButton className={classes.chipText} onClick={() => setOpen(true)}>
              <span className={classes.chipName}>{t(`filter.${name}`)}</span> <ChipValue name={name} search={search} />
            </UnstyledButton>
            <UnstyledButton
              className={classes.chipOff}
              aria-label={t('filter.remove', { name: t(`filter.${name}`) })}
              onClick={() => onChange({ [name]: undefined })}
            >
              <IconX size={12} />
            </UnstyledButton>
          </span>
        ))}
      {!isPhone && search.not && (
        <Suspense>
          <ExclusionChips search={search} onChange={onChange} />
        </Suspense>
      )}
    </>
  )
}

interface ChipValueProps {
  readonly name: FurtherFilter
  readonly search: LogSearch
}

function ChipValue({ name, search }: ChipValueProps) {
  const { t } = useTranslation('logs')
  const { money } = useFormat()
  const { type = 0, channel = 0, slow = 0, cost = 0 } = search
  if (name === 'type') return t(`type.${typeNameOf(type)}`)
  if (name === 'channel') return <ChannelName id={channel} />
  if (name === 'slow') return `${slow} s`
  if (name === 'cost') return money(cost)
  return search[name]
}
