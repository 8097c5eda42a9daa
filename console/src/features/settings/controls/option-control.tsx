import { Skeleton, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { lazy, Suspense } from 'react'

import classes from '../settings.module.css'
import { CodeControl } from './code-control'
import type { ControlProps } from './control-props'
import { ChoiceSelect } from '../../../components/fields/choice-select'
import { useTranslation } from '../../../lib/text/i18n'

// Controls that many pages do not need are loaded on demand.
const NumberControl = lazy(async () => ({ default: (await import('./number-control')).NumberControl }))
const MoneyControl = lazy(async () => ({ default: (await import('./money-control')).MoneyControl }))
const DurationControl = lazy(async () => ({ default: (await import('./duration-control')).DurationControl }))
const ColorControl = lazy(async () => ({ default: (await import('./color-control')).ColorControl }))
const ListControl = lazy(async () => ({ default: (await import('./list-control')).ListControl }))
const ChoicesControl = lazy(async () => ({ default: (await import('./choices-control')).ChoicesControl }))
const SecretControl = lazy(async () => ({ default: (await import('./secret-control')).SecretControl }))
const TextPageControl = lazy(async () => ({ default: (await import('./text-page-control')).TextPageControl }))
const TimeZoneControl = lazy(async () => ({ default: (await import('./time-zone-control')).TimeZoneControl }))
const TableControl = lazy(async () => ({ default: (await import('./table-control')).TableControl }))

const AliasesControl = lazy(async () => ({ default: (await import('./aliases-control')).AliasesControl }))
const ChainsControl = lazy(async () => ({ default: (await import('./chains-control')).ChainsControl }))

const controls = {
  switch: SwitchControl,
  number: NumberControl,
  money: MoneyControl,
  duration: DurationControl,
  text: TextControl,
  paragraph: ParagraphControl,
  code: CodeControl,
  textPage: TextPageControl,
  timeZone: TimeZoneControl,
  color: ColorControl,
  choice: ChoiceControl,
  choices: ChoicesControl,
  list: ListControl,
  lines: LinesControl,
  table: TableControl,
  secret: SecretControl,
  aliases: AliasesControl,
  chains: ChainsControl,
} as const

/** The control of an option, chosen by its type. */
export function OptionControl(props: ControlProps) {
  const Control = controls[controlFor(props.option)]
  return (
    <Suspense fallback={<Skeleton h={64} />}>
      <Control {...props} />
    </Suspense>
  )
}

const formatControls = {
  markdown: 'textPage',
  html: 'textPage',
  head: 'code',
  css: 'code',
  javascript: 'code',
  color: 'color',
  paragraph: 'paragraph',
  'time-zone': 'timeZone',
} as const

function controlFor({ kind, unit, format, entries, editor }: ControlProps['option']): keyof typeof controls {
  switch (kind) {
    case 'boolean':
      return 'switch'
    case 'integer':
    case 'number':
      if (unit === 'quota' || unit === 'usd') return 'money'
      return unit === 'seconds' || unit === 'minutes' ? 'duration' : 'number'
    case 'text':
      return format ? formatControls[format] : 'text'
    case 'json':
      return editor ?? (entries ? 'table' : 'code')
    default:
      return kind
  }
}

function ChoiceControl({ option, field, value, onChange, isDisabled, choiceLabel }: ControlProps) {
  return (
    <ChoiceSelect
      {...field}
      value={value}
      onChange={onChange}
      choices={(option.choices ?? []).map((choice) => ({ value: choice, label: choiceLabel(choice) }))}
      disabled={isDisabled}
    />
  )
}

function SwitchControl({ field, value, onChange, isDisabled }: ControlProps) {
  const { label, description, error } = field
  return (
    <Switch
      label={label}
      description={description}
      error={error}
      labelPosition="left"
      classNames={{
        root: classes.switch,
        body: classes.switchBody,
        labelWrapper: classes.switchWords,
        label: classes.label,
        description: classes.help,
      }}
      checked={value === 'true'}
      onChange={(event) => onChange(String(event.currentTarget.checked))}
      disabled={isDisabled}
    />
  )
}

function TextControl({ field, value, onChange, isDisabled }: ControlProps) {
  return (
    <TextInput
      {...field}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      disabled={isDisabled}
      autoComplete="off"
    />
  )
}

/** Words on several lines. */
function ParagraphControl({ field, value, onChange, isDisabled }: ControlProps) {
  return (
    <Textarea
      {...field}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={2}
      maxRows={8}
      disabled={isDisabled}
    />
  )
}

/** One entry per line. */
function LinesControl({ field, value, onChange, isDisabled }: ControlProps) {
  const { t } = useTranslation('settings')
  const count = value.split('\n').filter((line) => line.trim() !== '').length
  return (
    <Textarea
      {...field}
      classNames={{ ...field.classNames, input: classes.code }}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={4}
      maxRows={16}
      disabled={isDisabled}
      spellCheck={false}
      inputContainer={(input) => (
        <div>
          {input}
          <Text size="xs" c="dimmed" mt={4} className="figures">
            {t('lines', { count })}
          </Text>
        </div>
      )}
    />
  )
}
