import { ActionIcon } from '@mantine/core'
import { IconArrowDown } from '@tabler/icons-react'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'

import { Tip } from '../../../components/tip'
import { useIsPhone } from '../../../lib/breakpoints'
import { useSession } from '../hooks/chat-context'
import { useStickToEnd } from '../hooks/use-stick-to-end'
import { LaneHeads } from '../lanes/lane-heads'
import { LaneTabs } from '../lanes/lane-tabs'
import { shownTurns, versionsOf } from '../session/path'
import { EmptyTalk } from './empty-talk'
import { TurnView } from './turn-view'
import classes from './turns.module.css'

/** What was said, a column for each model; on phones a tab. */
export function Talk() {
  const { t } = useTranslation('playground')
  const session = useSession((whole) => whole)
  const isPhone = useIsPhone()
  const [tab, setTab] = useState<string | undefined>()
  const { box, content, isAtEnd, toEnd } = useStickToEnd()
  const { turns, chosen, lanes } = session
  const shown = useMemo(() => shownTurns({ turns, chosen }), [turns, chosen])
  const isTabbed = isPhone && lanes.length > 1
  const open = lanes.find(({ id }) => id === tab) ?? lanes[0]
  const visible = useMemo(() => (isTabbed && open ? [open] : lanes), [isTabbed, open, lanes])

  // Who asks wants to see the answer, wherever the talk was scrolled to.
  const lastId = shown.at(-1)?.id
  useEffect(toEnd, [lastId, toEnd])

  return (
    <div className={classes.frame}>
      <div className={classes.box} ref={box} role="log" aria-label={t('talk')} aria-live="off" tabIndex={0}>
        <div
          className={classes.content}
          ref={content}
          data-lanes={visible.length}
          data-is-compared={lanes.length > 1 || undefined}
        >
          {isTabbed && <LaneTabs lanes={lanes} open={open?.id} onOpen={setTab} />}
          <LaneHeads lanes={visible} isOnly={lanes.length === 1} />
          {shown.length === 0 && <EmptyTalk />}
          {shown.map((turn) => {
            const { ids, at } = versionsOf(session, turn)
            return <TurnView key={turn.id} turn={turn} lanes={visible} version={at} versions={ids.length} />
          })}
        </div>
      </div>
      {!isAtEnd && (
        <div className={classes.toEnd}>
          <Tip label={t('toEnd')}>
            <ActionIcon variant="default" radius="xl" size={34} aria-label={t('toEnd')} onClick={toEnd}>
              <IconArrowDown size={18} />
            </ActionIcon>
          </Tip>
        </div>
      )}
    </div>
  )
}
