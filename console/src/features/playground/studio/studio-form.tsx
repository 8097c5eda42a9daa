import { Button, Pill, Stack, Text, Textarea } from '@mantine/core'
import { type ReactNode, type SubmitEvent, useId, useState } from 'react'

import { ChoiceSelect } from '../../../components/fields/choice-select'
import { choicesOf } from '../../../components/combobox/choice'
import { OwnGroupSelect } from '../../../components/combobox/group-select'
import { SearchSelect } from '../../../components/combobox/search-select'
import { useTranslation } from '../../../lib/text/i18n'
import { useViewer } from '../../../lib/api/session'
import { ModelPrice } from '../model-price'
import { type InitialRequest, otherParameters, type Parameters } from './initial-request'
import classes from './studio.module.css'
import type { TaskRequest } from './use-task-runs'

/** What a form of tasks is given. */
export interface TaskFormProps {
  readonly models: readonly string[]
  readonly initial: InitialRequest | undefined
  readonly onMake: (request: TaskRequest) => void
}

/** The style of a field that takes both columns. */
export const wholeLine = { gridColumn: '1 / -1' }

interface StudioFormProps {
  readonly initial: InitialRequest | undefined
  /** The members of a request that the form has fields for. */
  readonly fields: readonly string[]
  readonly canMake: boolean
  /** Its price is shown; songs have none. */
  readonly model?: string
  readonly onMake: (others: Parameters, group: string) => void
  readonly children: ReactNode
}

/** Fields that describe what to make, and what every form of the studio has after them. */
export function StudioForm({ initial, fields, canMake, model, onMake, children }: StudioFormProps) {
  const { t } = useTranslation('playground')
  const { user } = useViewer()
  const [group, setGroup] = useState(initial?.group || (user?.group ?? ''))
  const [others, setOthers] = useState(() => otherParameters(initial, fields))
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (canMake) onMake(others, group)
  }
  return (
    <form className={classes.form} onSubmit={submit}>
      {children}
      <OtherParameters initial={initial} parameters={others} onChange={setOthers} />
      <OwnGroupSelect
        style={wholeLine}
        label={t('setting.group')}
        value={group || null}
        onChange={(next) => next !== null && setGroup(next)}
      />
      {model !== undefined && (
        <div style={wholeLine}>
          <ModelPrice model={model} group={group} />
        </div>
      )}
      <Button type="submit" size="sm" disabled={!canMake} style={wholeLine}>
        {t('studio.make')}
      </Button>
    </form>
  )
}

interface PromptFieldProps {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onChange: (prompt: string) => void
  readonly minRows?: number
  readonly maxRows?: number
}

export function PromptField({ onChange, minRows = 3, maxRows = 10, ...field }: PromptFieldProps) {
  return (
    <Textarea
      {...field}
      style={wholeLine}
      autosize
      minRows={minRows}
      maxRows={maxRows}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data-autofocus
    />
  )
}

interface ModelFieldProps {
  readonly models: readonly string[]
  readonly value: string
  readonly onChange: (model: string) => void
}

export function ModelField({ models, value, onChange }: ModelFieldProps) {
  const { t } = useTranslation('playground')
  return (
    <SearchSelect
      style={wholeLine}
      label={t('model.label')}
      choices={choicesOf(models)}
      value={value || null}
      onChange={(model) => model !== null && onChange(model)}
    />
  )
}

interface ParameterSelectProps {
  readonly label: string
  readonly usual: readonly string[]
  readonly nameOf: (value: string) => string
  /** Empty: left to the model. */
  readonly value: string
  readonly onChange: (value: string) => void
}

/** A parameter that may be left to the model. */
export function ParameterSelect({ label, usual, nameOf, value, onChange }: ParameterSelectProps) {
  const { t } = useTranslation('playground')
  const choices = withChoice(usual, value).map((choice) => ({ value: choice, label: nameOf(choice) }))
  return (
    <ChoiceSelect
      label={label}
      choices={[{ value: '', label: t('studio.default') }, ...choices]}
      value={value}
      onChange={onChange}
    />
  )
}

/** Returns the choices of a select with the chosen one, which may be one that was handed over and is not among the usual ones. */
export const withChoice = (usual: readonly string[], chosen: string): readonly string[] =>
  chosen === '' || usual.includes(chosen) ? usual : [chosen, ...usual]

/** Returns a size such as `1024x1024` as it is read. */
export const sizeName = (size: string): string => size.replace('x', ' × ')

interface OtherParametersProps {
  readonly initial: InitialRequest | undefined
  readonly parameters: Parameters
  readonly onChange: (parameters: Parameters) => void
}

/**
 * What was handed over and has no field in the form: it is sent too, unless the reader removes it. Also names what the request had and
 * the task does not.
 */
function OtherParameters({ initial, parameters, onChange }: OtherParametersProps) {
  const { t } = useTranslation('playground')
  const id = useId()
  const entries = Object.entries(parameters)
  const without = (name: string) => onChange(Object.fromEntries(entries.filter(([other]) => other !== name)))
  return (
    <>
      {entries.length > 0 && (
        <Stack gap={4} role="group" aria-labelledby={id} className={classes.request}>
          <Text size="sm" fw={600} id={id}>
            {t('studio.others')}
          </Text>
          <Pill.Group>
            {entries.map(([name, value]) => (
              <Pill
                key={name}
                className={classes.other}
                withRemoveButton
                removeButtonProps={{
                  'aria-label': t('studio.removeOther', { name }),
                  'aria-hidden': undefined,
                  tabIndex: 0,
                }}
                onRemove={() => without(name)}
                title={String(value)}
              >
                {`${name}: ${String(value)}`}
              </Pill>
            ))}
          </Pill.Group>
        </Stack>
      )}
      {initial && initial.lostFields.length > 0 && (
        <Text size="sm" className={classes.request}>
          {t('studio.notKept', { names: initial.lostFields.join(', ') })}
        </Text>
      )}
    </>
  )
}
