import { CheckIcon, Combobox, ScrollArea } from '@mantine/core'
import { useTranslation } from 'react-i18next'

import { ErrorText } from '../../lib/error-text'
import type { Choice } from './choice'
import classes from './combobox.module.css'
import type { ServerSearch } from './use-server-search'

/** More would make the list slow, and the one that is wanted is found by typing. */
const mostDrawn = 100

interface ChoiceListProps {
  readonly label: string | undefined
  readonly choices: readonly Choice[]
  readonly isChosen: (value: string) => boolean
  readonly typed: string
  readonly search: ServerSearch | undefined
}

/** What is offered while a combobox is open, and why there is nothing. */
export function ChoiceList({ label, choices, isChosen, typed, search }: ChoiceListProps) {
  const { t } = useTranslation()
  const drawn = choices.slice(0, mostDrawn)
  const more = choices.length - drawn.length
  return (
    <Combobox.Dropdown>
      <Combobox.Options aria-label={label}>
        <ScrollArea.Autosize mah={300} type="scroll" scrollbarSize={6}>
          {groupsOf(drawn).map(({ heading, members }) => {
            const options = members.map((choice) => (
              <Option key={choice.value} choice={choice} isChosen={isChosen(choice.value)} />
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
        {drawn.length === 0 && !search?.error && <Combobox.Empty>{emptyText()}</Combobox.Empty>}
      </Combobox.Options>
      {search?.error && (
        <Combobox.Footer>
          <ErrorText error={search.error} />
        </Combobox.Footer>
      )}
      {more > 0 && <Combobox.Footer>{t('combobox.more', { count: more })}</Combobox.Footer>}
    </Combobox.Dropdown>
  )

  function emptyText() {
    if (search?.isSearching) return t('combobox.searching')
    return typed === '' ? t('combobox.nothing') : t('combobox.notFound', { text: typed })
  }
}

function Option({ choice, isChosen }: { readonly choice: Choice; readonly isChosen: boolean }) {
  return (
    <Combobox.Option value={choice.value} active={isChosen} aria-selected={isChosen} className={classes.option}>
      <span className={classes.check}>{isChosen && <CheckIcon size={10} />}</span>
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
  readonly members: readonly Choice[]
}

/** Choices of one heading that follow each other. */
function groupsOf(choices: readonly Choice[]): readonly ChoiceGroup[] {
  const groups: { heading: string | undefined; members: Choice[] }[] = []
  for (const choice of choices) {
    const last = groups.at(-1)
    if (last && last.heading === choice.heading) last.members.push(choice)
    else groups.push({ heading: choice.heading, members: [choice] })
  }
  return groups
}
