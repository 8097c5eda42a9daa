import { Anchor, Button, Group, Input, NumberInput, SimpleGrid, Stack, Switch, Text, TextInput } from '@mantine/core'
import { windowRoutes } from '@tollgate/contract'
import { useState } from 'react'

import { ModelSelect } from '../../components/combobox/model-select'
import { ChoiceSelect } from '../../components/fields/choice-select'
import { DurationField } from '../../components/fields/duration-field'
import { MoneyInput } from '../../components/fields/money-input'
import { TimeField } from '../../components/fields/time-field'
import { TimeZoneSelect } from '../../components/fields/time-zone-select'
import { useTranslation } from '../../lib/text/i18n'
import { useViewer } from '../../lib/api/session'
import { hasCalendar, mayFallBack, mayStartWithCall, spansFor, type LimitsForm, type LimitValues } from './limit-form'
import type { EditedOwner } from './limits-data'
import { isOfChannel, useLimitText } from './use-limit-text'

interface LimitFieldsProps {
  readonly form: LimitsForm
  readonly index: number
  readonly values: LimitValues
  readonly owner: EditedOwner
  readonly proposedName: string
  /** The edit makes it a limit that starts over. */
  readonly startsOver: boolean
}

/** The fields of a limit; those of its length only where it has them. */
export function LimitFields(props: LimitFieldsProps) {
  const { form, index, values, proposedName, startsOver } = props
  const { t } = useTranslation('limits')
  return (
    <Stack gap="sm" mt="sm">
      <CountedFields {...props} />
      <LengthFields {...props} />
      {startsOver && (
        <Text size="xs" c="dimmed" role="status">
          {t('begins')}
        </Text>
      )}
      <TextInput
        label={t('field.name')}
        description={t('field.nameHint')}
        placeholder={proposedName}
        maxLength={50}
        {...form.getInputProps(`windows.${index}.name`)}
      />
      <MoreFields key={values.key} {...props} />
    </Stack>
  )
}

/** What is limited, and to how much. */
function CountedFields({ form, index, values, owner }: LimitFieldsProps) {
  const { t } = useTranslation('limits')
  const text = useLimitText()
  const { measure, span } = values
  const at = `windows.${index}` as const
  const limit = { label: t('field.limit'), withAsterisk: true, ...form.getInputProps(`${at}.limit`) }
  return (
    <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
      <ChoiceSelect
        label={t('field.measure')}
        data-autofocus
        value={measure}
        choices={windowRoutes.windowMeasures.map((value) => ({ value, label: text.measure(value, owner.owner) }))}
        onChange={(next) => {
          const spans = spansFor(next, owner.owner)
          form.setFieldValue(at, {
            ...values,
            measure: next,
            // Money and other counts are not of one size.
            limit: (next === 'quota') === (measure === 'quota') ? values.limit : '',
            span:
              spans.includes(span) && measure !== 'concurrent'
                ? span
                : (spans.find((one) => one === 'day') ?? 'always'),
          })
        }}
      />
      {measure === 'quota' ? (
        <MoneyInput {...limit} />
      ) : (
        <NumberInput {...limit} allowDecimal={false} allowNegative={false} hideControls thousandSeparator="," />
      )}
    </SimpleGrid>
  )
}

/** How long a period is, and when it begins. */
function LengthFields({ form, index, values, owner }: LimitFieldsProps) {
  const { t } = useTranslation('limits')
  const { measure, span } = values
  const at = `windows.${index}` as const
  if (measure === 'concurrent') return null
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <ChoiceSelect
          label={t('field.span')}
          choices={spansFor(measure, owner.owner).map((value) => ({ value, label: t(`span.${value}`) }))}
          {...form.getInputProps(`${at}.span`)}
          value={span}
        />
        {span === 'seconds' && (
          <DurationField
            label={t('field.seconds')}
            allowNegative={false}
            unitLabel={t('field.unit')}
            unitText={(unit) => t(`unit.${unit}`)}
            {...form.getInputProps(`${at}.seconds`)}
          />
        )}
      </SimpleGrid>
      {span === 'range' && (
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          <TimeField label={t('field.starts_at')} {...form.getInputProps(`${at}.starts_at`)} />
          <TimeField label={t('field.ends_at')} {...form.getInputProps(`${at}.ends_at`)} />
        </SimpleGrid>
      )}
      {mayStartWithCall(values) && (
        <Switch
          size="sm"
          label={t('field.is_sliding')}
          description={isAligned(span) ? t(`aligned.${span}`) : undefined}
          {...form.getInputProps(`${at}.is_sliding`, { type: 'checkbox' })}
        />
      )}
      {hasCalendar(values) && (
        <TimeZoneSelect
          label={t('field.time_zone')}
          placeholder={t('field.siteZone')}
          isClearable
          {...form.getInputProps(`${at}.time_zone`)}
        />
      )}
    </>
  )
}

const aligned = ['minute', 'five_hours', 'day', 'week', 'month', 'seconds'] as const
const isAligned = (span: string): span is (typeof aligned)[number] => aligned.some((one) => one === span)

/** What most limits do without: folded away until it is wanted, set or refused. */
function MoreFields({ form, index, values, owner }: LimitFieldsProps) {
  const { t } = useTranslation('limits')
  const { may } = useViewer()
  const at = `windows.${index}` as const
  const isSet = Number(values.grace_percent) > 0 || values.fallback_model !== null || values.alert_percents.length > 0
  const isFaulty = moreFields.some((field) => form.errors[`${at}.${field}`] !== undefined)
  const [isExpanded, setExpanded] = useState(isSet)
  if (!isExpanded && !isFaulty)
    return (
      <Anchor component="button" type="button" size="sm" ta="start" onClick={() => setExpanded(true)}>
        {t('field.more')}
      </Anchor>
    )
  const ofChannel = isOfChannel(owner.owner)
  return (
    <>
      {values.span !== 'call' && (
        <NumberInput
          label={t('field.grace_percent')}
          description={t('field.graceHint')}
          allowDecimal={false}
          allowNegative={false}
          hideControls
          {...form.getInputProps(`${at}.grace_percent`)}
        />
      )}
      {mayFallBack(values) && !ofChannel && (
        <ModelSelect
          of={may('channels.read') && !owner.isOwn ? 'site' : 'reader'}
          label={t('field.fallback_model')}
          description={t('field.fallbackHint')}
          placeholder={t('field.noFallback')}
          isClearable
          {...form.getInputProps(`${at}.fallback_model`)}
        />
      )}
      {values.span !== 'call' && values.measure !== 'concurrent' && (
        <AlertChoice
          hint={t(ofChannel ? 'field.alertsHintChannel' : 'field.alertsHint')}
          {...form.getInputProps(`${at}.alert_percents`)}
        />
      )}
      {values.alert_percents.length > 0 && !ofChannel && !owner.isOwn && (
        <Switch
          size="sm"
          label={t('field.alerts_operators')}
          {...form.getInputProps(`${at}.alerts_operators`, { type: 'checkbox' })}
        />
      )}
    </>
  )
}

const moreFields = ['grace_percent', 'fallback_model', 'alert_percents'] as const

interface AlertChoiceProps {
  readonly hint: string
  readonly value?: readonly number[]
  readonly onChange?: (percents: number[]) => void
  readonly error?: string
}

const usualPercents = [50, 80, 95, 100] as const

/** The shares of a limit at which the owner is told; those that were set elsewhere can be taken back. */
function AlertChoice({ hint, value = [], onChange, error }: AlertChoiceProps) {
  const { t } = useTranslation('limits')
  const offered = [...new Set([...usualPercents, ...value])].toSorted((one, other) => one - other)
  const toggle = (percent: number) =>
    onChange?.(value.includes(percent) ? value.filter((one) => one !== percent) : [...value, percent])
  return (
    <Input.Wrapper label={t('field.alert_percents')} labelElement="div" description={hint} error={error}>
      <Group gap={6} mt={6} role="group" aria-label={t('field.alert_percents')}>
        {offered.map((percent) => (
          <Button
            key={percent}
            variant={value.includes(percent) ? 'light' : 'default'}
            size="compact-sm"
            radius="xl"
            aria-pressed={value.includes(percent)}
            onClick={() => toggle(percent)}
          >
            {`${percent}%`}
          </Button>
        ))}
      </Group>
    </Input.Wrapper>
  )
}
