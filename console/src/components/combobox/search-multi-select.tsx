import { ComboboxChevron, Pill, PillsInput, type PillsInputProps } from '@mantine/core'
import { useRef, useState } from 'react'

import { offeredChoices, type Choice } from './choice'
import classes from './combobox.module.css'
import { useChoiceList } from './use-choice-list'

export interface SearchMultiSelectProps extends Pick<
  PillsInputProps,
  'description' | 'disabled' | 'error' | 'size' | 'withAsterisk'
> {
  readonly label: string
  readonly placeholder?: string
  readonly choices: readonly Choice[]
  readonly value?: readonly string[]
  readonly onChange: (values: string[]) => void
  readonly onBlur?: () => void
  /** Returns the choice for free text that matches none; listed first. */
  readonly free?: (text: string) => Choice | undefined
}

const noValues: readonly string[] = []

/** Selects several of many choices by typing; Backspace removes the last. */
export function SearchMultiSelect(props: SearchMultiSelectProps) {
  const { choices, value = noValues, onChange, onBlur, free, placeholder, ...input } = props
  const [typed, setTyped] = useState('')
  const box = useRef<HTMLDivElement>(null)
  const labels = new Map(choices.map((choice) => [choice.value, choice.label]))
  const offered = offeredChoices(choices, typed, { free }).filter((choice) => !value.includes(choice.value))
  const remove = (gone: string) => onChange(value.filter((known) => known !== gone))
  const add = (chosen: string) => {
    setTyped('')
    onChange([...value, chosen])
  }
  const combobox = useChoiceList({
    anchor: box,
    label: input.label,
    choices: offered,
    isChosen: () => false,
    typed,
    onChoose: add,
    size: input.size,
  })
  return (
    <>
      <PillsInput
        {...input}
        ref={box}
        __defaultRightSection={<ComboboxChevron />}
        rightSectionPointerEvents="none"
        onPointerEnter={combobox.onNear}
        onClick={combobox.open}
      >
        <Pill.Group className={classes.pills}>
          {value.map((known) => (
            <Pill key={known} withRemoveButton onRemove={() => remove(known)}>
              {labels.get(known) ?? known}
            </Pill>
          ))}
          <PillsInput.Field
            {...combobox.field}
            value={typed}
            placeholder={value.length === 0 ? placeholder : undefined}
            disabled={input.disabled}
            onFocus={combobox.onNear}
            onChange={({ currentTarget }) => {
              combobox.open()
              setTyped(currentTarget.value)
            }}
            onBlur={() => {
              setTyped('')
              combobox.close()
              onBlur?.()
            }}
            onKeyDown={(event) => {
              combobox.onKeyDown(event)
              const last = value.at(-1)
              if (event.key === 'Backspace' && typed === '' && last !== undefined) remove(last)
              if (event.key === 'Escape') setTyped('')
            }}
          />
        </Pill.Group>
      </PillsInput>
      {combobox.list}
    </>
  )
}
