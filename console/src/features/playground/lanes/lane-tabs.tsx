import { SegmentedControl } from '@mantine/core'

import { useTranslation } from '../../../lib/text/i18n'
import type { Lane } from '../session/session'
import classes from './lanes.module.css'

interface LaneTabsProps {
  readonly lanes: readonly Lane[]
  readonly open: string | undefined
  readonly onOpen: (laneId: string) => void
}

/** Phones have room for one column. */
export function LaneTabs({ lanes, open, onOpen }: LaneTabsProps) {
  const { t } = useTranslation('playground')
  return (
    <SegmentedControl
      fullWidth
      size="xs"
      aria-label={t('lane.shown')}
      value={open}
      onChange={onOpen}
      data={lanes.map(({ id, model }) => ({ value: id, label: <span className={classes.tab}>{model}</span> }))}
    />
  )
}
