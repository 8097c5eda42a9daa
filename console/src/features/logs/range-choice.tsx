import { Button, NativeSelect } from '@mantine/core'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { formatTime } from '../../lib/format'
import { quickRanges, type LogSearch } from './log-search'

const RangeDialog = lazy(async () => ({ default: (await import('./range-dialog')).RangeDialog }))

const custom = 'custom'

type Range = Pick<LogSearch, 'range' | 'from' | 'to'>

interface RangeChoiceProps {
  readonly search: Range
  readonly onChange: (change: Range) => void
}

/** The last hour, today, … or any other range, which is written out and can be changed. */
export function RangeChoice({ search: { range, from, to }, onChange }: RangeChoiceProps) {
  const { t } = useTranslation('logs')
  const [isChoosing, setChoosing] = useState(false)
  const isCustom = from !== undefined || to !== undefined
  const end = (at: number | undefined, none: string) => (at === undefined ? none : formatTime(at))
  return (
    <>
      <NativeSelect
        size="xs"
        w={124}
        aria-label={t('range.label')}
        value={isCustom ? custom : (range ?? 'today')}
        onChange={({ currentTarget: { value } }) => {
          const quick = quickRanges.find((known) => known === value)
          if (!quick) return setChoosing(true)
          onChange({ range: quick === 'today' ? undefined : quick, from: undefined, to: undefined })
        }}
        data={([...quickRanges, custom] as const).map((value) => ({ value, label: t(`range.${value}`) }))}
      />
      {isCustom && (
        <Button variant="default" className="figures" onClick={() => setChoosing(true)}>
          {`${end(from, t('range.ever'))} – ${end(to, t('range.now'))}`}
        </Button>
      )}
      {isChoosing && (
        <Suspense>
          <RangeDialog
            from={from}
            to={to}
            onClose={() => setChoosing(false)}
            onChoose={(chosen) => onChange({ ...chosen, range: undefined })}
          />
        </Suspense>
      )}
    </>
  )
}
