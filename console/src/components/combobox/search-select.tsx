import { ComboboxChevron, ComboboxClearButton, InputBase, type InputBaseProps } from '@mantine/core'
import { useEffect, useRef, useState, type ComponentPropsWithoutRef } from 'react'

import { matchingChoices, type Choice } from './choice'
import { useChoiceList } from './use-choice-list'
import type { ServerSearch } from './use-server-search'

type InputProps = Pick<
  InputBaseProps & Omit<ComponentPropsWithoutRef<'input'>, keyof InputBaseProps>,
  | 'aria-label'
  | 'autoFocus'
  | 'classNames'
  | 'description'
  | 'disabled'
  | 'error'
  | 'flex'
  | 'label'
  | 'leftSection'
  | 'maw'
  | 'onBlur'
  | 'onFocus'
  | 'placeholder'
  | 'size'
  | 'style'
  | 'w'
  | 'withAsterisk'
> & { readonly 'data-autofocus'?: boolean; readonly 'data-search-field'?: boolean; readonly 'data-path'?: string }

export interface SearchSelectProps extends InputProps {
  /** All of them, or what the server found. */
  readonly choices: readonly Choice[]
  readonly value?: string | null
  /** The value's entry, where it may not be among the choices. */
  readonly chosen?: Choice
  readonly onChange: (value: string | null) => void
  /** The server searches; without it the choices are filtered here. */
  readonly search?: ServerSearch
  /** Can be left empty again. */
  readonly isClearable?: boolean
  /** What typed text that is none of the choices stands for; offered before them. */
  readonly free?: (text: string) => Choice | undefined
  /** Opens within a popover that closes at a click outside. */
  readonly isInPlace?: boolean
}

/** One of many, found by typing. A click or Tab into the field selects its text, so that typing begins a new search. */
export function SearchSelect(props: SearchSelectProps) {
  const {
    choices,
    value = null,
    chosen,
    onChange,
    search,
    isClearable,
    free,
    isInPlace,
    onBlur,
    onFocus,
    ...input
  } = props
  const [typed, setTyped] = useState<string>()
  const field = useRef<HTMLInputElement>(null)
  const isFresh = useRef(false)
  const offered = offeredChoices(choices, typed ?? '', { isSearched: search !== undefined, free })
  const known = choices.find((choice) => choice.value === value) ?? chosen
  const shown = known?.label ?? value ?? ''
  // What was just chosen is replaced by what is typed next, too.
  useEffect(() => {
    if (typed === undefined && shown && field.current === document.activeElement) field.current?.select()
  }, [typed, shown])
  const type = (text: string | undefined) => {
    setTyped(text)
    search?.onType(text ?? '')
  }
  const choose = (next: string | null) => {
    isFresh.current = true
    type(undefined)
    combobox.close()
    if (next !== value) onChange(next)
  }
  const leave = () => {
    if (typed === '' && isClearable) return choose(null)
    choose((typed && free?.(typed.trim())?.value) || value)
  }
  const combobox = useChoiceList({
    anchor: field,
    label: input['aria-label'] ?? input.label,
    choices: offered,
    isChosen: (candidate) => candidate === value,
    typed: typed ?? '',
    onChoose: choose,
    onOpen: () => search?.onType(typed ?? ''),
    search,
    size: input.size,
    isInPlace,
  })
  return (
    <>
      <InputBase
        {...input}
        {...combobox.field}
        ref={field}
        value={typed ?? shown}
        __defaultRightSection={<ComboboxChevron />}
        __clearSection={<ComboboxClearButton onClear={() => choose(null)} />}
        __clearable={isClearable && value !== null && !input.disabled}
        rightSectionPointerEvents="none"
        onChange={({ currentTarget }) => {
          combobox.open()
          type(currentTarget.value)
        }}
        onPointerEnter={combobox.onNear}
        onFocus={(event) => {
          combobox.onNear()
          isFresh.current = true
          event.currentTarget.select()
          onFocus?.(event)
        }}
        onClick={({ currentTarget }) => {
          // The click that brought the focus has set the caret.
          if (isFresh.current) currentTarget.select()
          isFresh.current = false
          combobox.open()
        }}
        onKeyDown={(event) => {
          combobox.onKeyDown(event)
          if (event.key === 'Escape') type(undefined)
        }}
        onBlur={(event) => {
          leave()
          onBlur?.(event)
        }}
      />
      {combobox.list}
    </>
  )
}

interface Offer {
  readonly isSearched: boolean
  readonly free: SearchSelectProps['free']
}

function offeredChoices(choices: readonly Choice[], typed: string, { isSearched, free }: Offer): readonly Choice[] {
  const found = isSearched ? choices : matchingChoices(choices, typed)
  const text = typed.trim()
  const own = text === '' || choices.some(({ value }) => value === text) ? undefined : free?.(text)
  return own ? [own, ...found.filter(({ value }) => value !== own.value)] : found
}
