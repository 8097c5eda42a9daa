import { ActionIcon } from '@mantine/core'
import { IconPlayerStopFilled, IconX } from '@tabler/icons-react'

import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { useChat, useIsArriving, useSession } from '../hooks/chat-context'
import { useKnownChoices } from '../hooks/choices-context'
import { ModelPrice } from '../model-price'
import { lastAnswer } from '../session/path'
import type { Lane } from '../session/session'
import { LaneFacts } from './lane-facts'
import classes from './lanes.module.css'
import { ModelSelect } from './model-select'

interface LaneHeadProps {
  readonly lane: Lane
  readonly isOnly: boolean
}

/** The model of a column with its price, and later the figures of its last response. */
export function LaneHead({ lane, isOnly }: LaneHeadProps) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const { ownGroup } = useKnownChoices()
  const group = useSession(({ settings }) => settings.group) || ownGroup
  const isArriving = useIsArriving(lane.id)
  const hasAnswer = useSession((session) => lastAnswer(session, lane.id) !== undefined)
  return (
    <header className={classes.head}>
      <div className={classes.headRow}>
        <ModelSelect
          model={lane.model}
          group={group}
          onChange={(model) => chat.dispatch({ kind: 'lane-changed', laneId: lane.id, change: { model } })}
        />
        {!isOnly && isArriving && (
          <Tip label={t('lane.stop', { model: lane.model })}>
            <ActionIcon aria-label={t('lane.stop', { model: lane.model })} onClick={() => chat.stop(lane.id)}>
              <IconPlayerStopFilled size={14} />
            </ActionIcon>
          </Tip>
        )}
        {!isOnly && (
          <Tip label={t('lane.remove', { model: lane.model })}>
            <ActionIcon aria-label={t('lane.remove', { model: lane.model })} onClick={() => chat.removeLane(lane.id)}>
              <IconX size={16} />
            </ActionIcon>
          </Tip>
        )}
      </div>
      {!hasAnswer && <ModelPrice model={lane.model} group={group} />}
      {!isOnly && <LaneFacts lane={lane} />}
    </header>
  )
}
