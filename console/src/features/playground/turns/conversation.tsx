import { useMemo, useState } from 'react'
import { IconMessage2 } from '@tabler/icons-react'

import classes from './turns.module.css'
import { useIsPhone } from '../../../lib/browser/breakpoints'
import { useSession } from '../hooks/chat-context'
import { LaneTabs } from './lanes'
import { shownTurns } from '../session/path'
import { LaneColumn } from './lane-column'
import { StateMessage } from '../../../components/page/state-message'
import { useTranslation } from '../../../lib/text/i18n'

/** The conversation, with a column for each model; on phones a tab. */
export function Conversation() {
  const turns = useSession((session) => session.turns)
  const chosen = useSession((session) => session.chosen)
  const lanes = useSession((session) => session.lanes)
  const isPhone = useIsPhone()
  const [tab, setTab] = useState<string | undefined>()
  const shown = useMemo(() => shownTurns({ turns, chosen }), [turns, chosen])
  const isTabbed = isPhone && lanes.length > 1
  const open = lanes.find(({ id }) => id === tab) ?? lanes[0]
  const visible = isTabbed && open ? [open] : lanes
  return (
    <div className={classes.frame}>
      {isTabbed && <LaneTabs lanes={lanes} open={open?.id} onOpen={setTab} />}
      <div className={classes.columns} data-lanes={visible.length}>
        {visible.map((lane, index) => (
          <LaneColumn key={lane.id} lane={lane} isOnly={lanes.length === 1} turns={shown}>
            {shown.length === 0 && index === 0 && <EmptyConversation />}
          </LaneColumn>
        ))}
      </div>
    </div>
  )
}

function EmptyConversation() {
  const { t } = useTranslation('playground')
  return <StateMessage icon={IconMessage2} title={t('empty.title')} hint={t('empty.hint')} />
}
