import { Button } from '@mantine/core'
import { IconCalendar, IconChevronDown } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { useTranslation } from '../../lib/text/i18n'
import { MenuButton } from '../menu-button'
import { rangeText, type TimeRange } from '../../lib/text/time-range'

const RangeDialog = lazy(async () => ({ default: (await import('./range-dialog')).RangeDialog }))

interface RangeChoiceProps<Quick extends string> {
  /** Ranges that end now, in display order. */
  readonly quick: readonly { readonly value: Quick; readonly label: string }[]
  /** One of the quick ranges, or a custom one. */
  readonly value: Quick | TimeRange
  readonly onChange: (value: Quick | TimeRange) => void
  /** The longest range that the call accepts; a start is then required. */
  readonly maxDays?: number
}

/** The time range of a page: one click for common ranges, a dialog for any other. */
export function RangeChoice<Quick extends string>({ quick, value, onChange, maxDays }: RangeChoiceProps<Quick>) {
  const { t } = useTranslation()
  const [isChoosing, setChoosing] = useState(false)
  const custom = typeof value === 'string' ? undefined : value
  const text = custom
    ? rangeText(custom, { ever: t('range.ever'), now: t('range.now') })
    : quick.find((known) => known.value === value)?.label
  return (
    <>
      <MenuButton
        label={t('range.label')}
        items={[
          ...quick.map((known) => ({
            id: known.value,
            label: known.label,
            isChosen: known.value === value,
            onClick: () => onChange(known.value),
          })),
          {
            id: 'custom range',
            label: t('range.custom'),
            isChosen: custom !== undefined,
            startsGroup: true,
            onClick: () => setChoosing(true),
          },
        ]}
        trigger={(props) => (
          <Button
            variant="default"
            size="xs"
            fw={400}
            className="figures"
            leftSection={<IconCalendar size={14} />}
            rightSection={<IconChevronDown size={12} />}
            aria-label={`${t('range.label')}: ${text ?? ''}`}
            {...props}
          >
            {text}
          </Button>
        )}
      />
      {isChoosing && (
        <Suspense>
          <RangeDialog
            range={custom}
            maxDays={maxDays}
            onClose={() => setChoosing(false)}
            onChoose={(range) => onChange(range)}
          />
        </Suspense>
      )}
    </>
  )
}
