import { Combobox, InputBase, type InputBaseProps } from '@mantine/core'
import { useEffect, useRef, useState, type ComponentPropsWithoutRef } from 'react'

import { matchingChoices, type Choice } from './choice'
import { ChoiceList } from './choice-list'
import { useChoiceList } from './use-choice-list'
import type { ServerSearch } from './use-server-search'

type InputProps = Pick<
  InputBaseProps & Omit<ComponentPropsWithoutRef<'input'>, keyof InputBaseProps>,
  | 'aria-label'
  | 'autoFocus'
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
  const { combobox, targetProps } = useChoiceList(typed ?? '', offered)
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
  const open = () => {
    search?.onType(typed ?? '')
    combobox.openDropdown()
  }
  const choose = (next: string | null) => {
    isFresh.current = true
    type(undefined)
    combobox.closeDropdown()
    if (next !== value) onChange(next)
  }
  const leave = () => {
    if (typed === '' && isClearable) return choose(null)
    choose((typed && free?.(typed.trim())?.value) || value)
  }
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={choose}
      withinPortal={!isInPlace}
      disabled={input.disabled ?? false}
      size={input.size}
    >
      <Combobox.Target {...targetProps}>
        <InputBase
          {...input}
          ref={field}
          value={typed ?? shown}
          __defaultRightSection={<Combobox.Chevron />}
          __clearSection={<Combobox.ClearButton onClear={() => choose(null)} />}
          __clearable={isClearable && value !== null && !input.disabled}
          rightSectionPointerEvents="none"
          onChange={({ currentTarget }) => {
            type(currentTarget.value)
            combobox.openDropdown()
          }}
          onFocus={(event) => {
            isFresh.current = true
            event.currentTarget.select()
            onFocus?.(event)
          }}
          onClick={({ currentTarget }) => {
            // The click that brought the focus has set the caret.
            if (isFresh.current) currentTarget.select()
            isFresh.current = false
            open()
          }}
          onKeyDown={({ key }) => {
            if (key === 'ArrowDown' || key === 'ArrowUp') search?.onType(typed ?? '')
            if (key === 'Escape') type(undefined)
          }}
          onBlur={(event) => {
            leave()
            onBlur?.(event)
          }}
        />
      </Combobox.Target>
      <ChoiceList
        label={input['aria-label'] ?? (typeof input.label === 'string' ? input.label : undefined)}
        choices={offered}
        isChosen={(candidate) => candidate === value}
        typed={typed ?? ''}
        search={search}
      />
    </Combobox>
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
