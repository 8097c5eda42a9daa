import { Combobox, Pill, PillsInput, type PillsInputProps } from '@mantine/core'
import { useState } from 'react'

import { matchingChoices, type Choice } from './choice'
import { ChoiceList } from './choice-list'
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
}

const none: readonly string[] = []

/** Several of many, found by typing; Backspace takes the last away. */
export function SearchMultiSelect(props: SearchMultiSelectProps) {
  const { choices, value = none, onChange, onBlur, placeholder, ...input } = props
  const [typed, setTyped] = useState('')
  const labels = new Map(choices.map((choice) => [choice.value, choice.label]))
  const offered = matchingChoices(
    choices.filter((choice) => !value.includes(choice.value)),
    typed,
  )
  const { combobox, targetProps } = useChoiceList(typed, offered)
  const remove = (gone: string) => onChange(value.filter((known) => known !== gone))
  const add = (chosen: string) => {
    setTyped('')
    onChange([...value, chosen])
  }
  return (
    <Combobox store={combobox} onOptionSubmit={add} disabled={input.disabled ?? false} size={input.size}>
      <Combobox.DropdownTarget>
        <PillsInput
          {...input}
          __defaultRightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          onClick={() => combobox.openDropdown()}
        >
          <Pill.Group className={classes.pills}>
            {value.map((known) => (
              <Pill key={known} withRemoveButton onRemove={() => remove(known)}>
                {labels.get(known) ?? known}
              </Pill>
            ))}
            <Combobox.EventsTarget {...targetProps}>
              <PillsInput.Field
                value={typed}
                placeholder={value.length === 0 ? placeholder : undefined}
                disabled={input.disabled}
                onChange={({ currentTarget }) => {
                  setTyped(currentTarget.value)
                  combobox.openDropdown()
                }}
                onBlur={() => {
                  setTyped('')
                  combobox.closeDropdown()
                  onBlur?.()
                }}
                onKeyDown={({ key }) => {
                  const last = value.at(-1)
                  if (key === 'Backspace' && typed === '' && last !== undefined) remove(last)
                  if (key === 'Escape') setTyped('')
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <ChoiceList label={input.label} choices={offered} isChosen={() => false} typed={typed} search={undefined} />
    </Combobox>
  )
}
