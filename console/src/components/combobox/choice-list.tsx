import { CheckIcon, Combobox, ScrollArea, useCombobox, type MantineSize } from '@mantine/core'
import { useEffect, useImperativeHandle, type Ref, type RefObject } from 'react'

import { ErrorText } from '../../lib/api/error-text'
import { useTranslation } from '../../lib/text/i18n'
import type { Choice } from './choice'
import classes from './combobox.module.css'
import type { ServerSearch } from './use-server-search'

const minListWidth = 180

interface ChoiceListProps {
  readonly id: string
  readonly anchor: RefObject<HTMLElement | null>
  readonly label: string | undefined
  readonly choices: readonly Choice[]
  /** How many more match. */
  readonly more: number
  /** Index of the choice that Enter takes; -1 for none. */
  readonly marked: number
  readonly isChosen: (value: string) => boolean
  readonly typed: string
  readonly search: ServerSearch | undefined
  readonly size: MantineSize | (string & {}) | undefined
  readonly isInPlace: boolean | undefined
  readonly onChoose: (value: string) => void
  readonly onClose: () => void
}

/** The choices of an open field, or why there are none. */
export function ChoiceList(props: ChoiceListProps) {
  const { id, anchor, label, choices, more, marked, isChosen, typed, search, size, isInPlace } = props
  const { t } = useTranslation()
  const store = useCombobox({ opened: true, onOpenedChange: props.onClose })
  const markedId = marked < 0 ? undefined : `${id}-${marked}`
  useEffect(() => {
    if (markedId) document.getElementById(markedId)?.scrollIntoView({ block: 'nearest' })
  }, [markedId])
  const emptyText = () => {
    if (search?.isSearching) return t('combobox.searching')
    return typed === '' ? t('combobox.nothing') : t('combobox.notFound', { text: typed })
  }
  return (
    <Combobox store={store} onOptionSubmit={props.onChoose} withinPortal={!isInPlace} size={size}>
      <Combobox.DropdownTarget>
        <Anchor element={anchor} />
      </Combobox.DropdownTarget>
      {/* Wider than a narrow field. */}
      <Combobox.Dropdown miw={minListWidth}>
        <Combobox.Options id={id} aria-label={label}>
          <ScrollArea.Autosize mah={300} type="scroll" scrollbarSize={6}>
            {groupsOf(choices).map(({ heading, from, members }) => {
              const options = members.map((choice, index) => (
                <Option
                  key={choice.value}
                  id={`${id}-${from + index}`}
                  choice={choice}
                  isChosen={isChosen(choice.value)}
                  isMarked={from + index === marked}
                />
              ))
              return heading === undefined ? (
                options
              ) : (
                <Combobox.Group key={heading} label={heading}>
                  {options}
                </Combobox.Group>
              )
            })}
          </ScrollArea.Autosize>
          {choices.length === 0 && !search?.error && <Combobox.Empty>{emptyText()}</Combobox.Empty>}
        </Combobox.Options>
        {search?.error && (
          <Combobox.Footer>
            <ErrorText error={search.error} />
          </Combobox.Footer>
        )}
        {more > 0 && <Combobox.Footer>{t('combobox.more', { count: more })}</Combobox.Footer>}
      </Combobox.Dropdown>
    </Combobox>
  )
}

interface AnchorProps {
  readonly element: RefObject<HTMLElement | null>
  readonly ref?: Ref<HTMLElement | null>
}

/** Anchors the list to a field rendered elsewhere, before the list's code arrives. */
function Anchor({ element, ref }: AnchorProps) {
  useImperativeHandle<HTMLElement | null, HTMLElement | null>(ref, () => element.current, [element])
  return null
}

interface OptionProps {
  readonly id: string
  readonly choice: Choice
  readonly isChosen: boolean
  readonly isMarked: boolean
}

function Option({ id, choice, isChosen, isMarked }: OptionProps) {
  return (
    <Combobox.Option
      id={id}
      value={choice.value}
      active={isChosen}
      selected={isMarked}
      aria-selected={isChosen}
      className={classes.option}
    >
      <span className={classes.check}>{isChosen && <CheckIcon size={10} />}</span>
      {choice.icon}
      <span className={classes.text}>
        <span className={classes.label}>{choice.label}</span>
        {choice.hint && <span className={classes.hint}>{choice.hint}</span>}
      </span>
      {choice.mark !== undefined && <span className={classes.mark}>{choice.mark}</span>}
    </Combobox.Option>
  )
}

interface ChoiceGroup {
  readonly heading: string | undefined
  /** Index of its first choice. */
  readonly from: number
  readonly members: readonly Choice[]
}

/** Groups consecutive choices with the same heading. */
function groupsOf(choices: readonly Choice[]): readonly ChoiceGroup[] {
  const groups: { heading: string | undefined; from: number; members: Choice[] }[] = []
  for (const [from, choice] of choices.entries()) {
    const last = groups.at(-1)
    if (last && last.heading === choice.heading) last.members.push(choice)
    else groups.push({ heading: choice.heading, from, members: [choice] })
  }
  return groups
}
