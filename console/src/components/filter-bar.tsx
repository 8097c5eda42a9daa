import { ActionIcon, Button, Group, Skeleton, TextInput } from '@mantine/core'
import { IconAdjustmentsHorizontal, IconFilterOff, IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'

import { useTranslation } from '../lib/text/i18n'
import { useTypedText } from '../lib/url/use-typed-text'
import { ChoiceSelect } from './fields/choice-select'
import classes from './filter-bar.module.css'

const ChoiceFilter = lazy(async () => ({ default: (await import('./choice-filter')).ChoiceFilter }))

/** One filter: a text field or a choice. */
type Filter<Name extends string> = {
  readonly name: Name
  readonly label: string
  readonly width?: number
} & (
  | {
      readonly kind: 'text'
      /** Focused by `/`. */
      readonly isSearch?: boolean
    }
  | {
      /** `few`: a native select, which adds nothing to the first load; `choice`: a searchable list. */
      readonly kind: 'choice' | 'few'
      readonly choices: readonly { readonly value: string; readonly label: string }[]
    }
)

interface FilterBarProps<Name extends string> {
  readonly filters: readonly Filter<Name>[]
  readonly values: Readonly<Partial<Record<Name, string>>>
  /** Debounced for text, immediate for choices. */
  readonly onChange: (change: Partial<Record<Name, string | undefined>>) => void
  /** Filters that the children render; cleared with the others. */
  readonly others?: readonly Name[]
  readonly children?: ReactNode
}

/** The filters of a list. Their values are kept in the address of the page. On phones all but the first are collapsed. */
export function FilterBar<Name extends string>(props: FilterBarProps<Name>) {
  const { filters, values, onChange, others = [], children } = props
  const { t } = useTranslation()
  const names = [...filters.map(({ name }) => name), ...others]
  const isSet = names.some((name) => values[name])
  const [clearings, setClearings] = useState(0)
  const [isExpanded, setExpanded] = useState(false)
  const set = (name: Name, value: string | undefined) =>
    onChange({ [name]: value || undefined } as Partial<Record<Name, string | undefined>>)
  const clear = () => {
    setClearings(clearings + 1)
    onChange(Object.fromEntries(names.map((name) => [name, undefined])) as Partial<Record<Name, undefined>>)
  }
  const draw = (filter: Filter<Name>) =>
    filter.kind === 'text' ? (
      // Remounted on clearing, which discards text that was not reported yet.
      <TextFilter
        key={`${filter.name} ${clearings}`}
        filter={filter}
        value={values[filter.name] ?? ''}
        onChange={(value) => set(filter.name, value)}
      />
    ) : filter.kind === 'few' ? (
      <ChoiceSelect
        key={filter.name}
        size="xs"
        {...roomFor(filter.width ?? choiceWidth)}
        aria-label={filter.label}
        data-is-set={values[filter.name] ? true : undefined}
        className={classes.few}
        choices={[{ value: '', label: filter.label }, ...filter.choices]}
        value={values[filter.name] ?? ''}
        onChange={(value) => set(filter.name, value)}
      />
    ) : (
      <Suspense key={filter.name} fallback={<Skeleton {...roomFor(filter.width ?? choiceWidth)} h={30} />}>
        <ChoiceFilter
          label={filter.label}
          room={roomFor(filter.width ?? choiceWidth)}
          choices={filter.choices}
          value={values[filter.name]}
          onChange={(value) => set(filter.name, value)}
        />
      </Suspense>
    )
  const [first, ...more] = filters
  const setMore = more.filter(({ name }) => values[name]).length
  return (
    <Group gap={8} role="search" className={classes.bar}>
      {first && draw(first)}
      {more.length > 0 && (
        <Button
          variant="default"
          className={classes.unfold}
          leftSection={<IconAdjustmentsHorizontal size={14} />}
          aria-expanded={isExpanded}
          onClick={() => setExpanded(!isExpanded)}
        >
          {setMore > 0 ? t('table.filtersSet', { count: setMore }) : t('table.filters')}
        </Button>
      )}
      <div className={classes.more} data-is-unfolded={isExpanded || undefined}>
        {more.map(draw)}
      </div>
      {children}
      {/* Its place is reserved, so that setting a filter moves nothing. */}
      <ActionIcon
        className={classes.clear}
        style={{ visibility: isSet ? undefined : 'hidden' }}
        aria-label={t('table.clearFilters')}
        title={t('table.clearFilters')}
        onClick={clear}
      >
        <IconFilterOff size={17} />
      </ActionIcon>
    </Group>
  )
}

const choiceWidth = 150
const searchWidth = 220

/** The preferred width; a little less where another filter then fits into the line. */
const roomFor = (width: number) => ({ flex: `1 1 ${Math.round(width * 0.75)}px`, maw: width })

interface TextFilterProps {
  readonly filter: {
    readonly label: string
    readonly width?: number
    readonly isSearch?: boolean
  }
  readonly value: string
  readonly onChange: (value: string) => void
}

function TextFilter({ filter, value, onChange }: TextFilterProps) {
  const { text, type, set } = useTypedText(value, onChange)
  return (
    <TextInput
      size="xs"
      {...roomFor(filter.width ?? (filter.isSearch ? searchWidth : choiceWidth))}
      aria-label={filter.label}
      placeholder={filter.label}
      leftSection={filter.isSearch ? <IconSearch size={14} /> : undefined}
      data-search-field={filter.isSearch || undefined}
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onKeyDown={({ key }) => key === 'Enter' && set(text)}
    />
  )
}
