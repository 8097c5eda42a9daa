import { ComboboxChevron, ComboboxClearButton, InputBase, type InputBaseProps } from '@mantine/core'
import { useEffect, useRef, useState, type ComponentPropsWithoutRef } from 'react'

import { offeredChoices, type Choice } from './choice'
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
  /** All choices, or the search results. */
  readonly choices: readonly Choice[]
  readonly value?: string | null
  /** The selected choice, where it may be missing from the choices. */
  readonly chosen?: Choice
  readonly onChange: (value: string | null) => void
  /** Searches on the server; otherwise the choices are filtered here. */
  readonly search?: ServerSearch
  /** Can be emptied. */
  readonly isClearable?: boolean
  /** Returns the choice for free text that matches none; listed first. */
  readonly free?: (text: string) => Choice | undefined
  /** Renders the list inside the parent popover, which closes on outside clicks. */
  readonly isInPlace?: boolean
}

/** Selects one of many choices by typing. A click or Tab into the field selects its text, so that typing begins a new search. */
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
  // Text selected again, so that typing replaces a new choice as well.
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
        leftSection={input.leftSection ?? known?.icon}
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
          // The click that focused the field has placed the caret.
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
