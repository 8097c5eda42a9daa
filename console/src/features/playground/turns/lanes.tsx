import { ActionIcon, SegmentedControl } from '@mantine/core'
import { useMemo } from 'react'
import { IconPlayerStopFilled, IconX } from '@tabler/icons-react'

import classes from './lanes.module.css'
import { Tip } from '../../../components/tip'
import { useTranslation } from '../../../lib/text/i18n'
import { useChat, useIsArriving, useSession } from '../hooks/chat-context'
import { useKnownChoices } from '../hooks/use-choices'
import { ModelPrice } from '../model-price'
import { lastAnswer } from '../session/path'
import { isArriving, type Lane } from '../session/session'
import { formatDuration } from '../../../lib/text/format'
import { useFormat } from '../../../lib/text/use-format'
import { tokensASecond } from '../session/cost'
import { AnswerCost } from './answer-facts'
import { choicesOf, withValues } from '../../../components/combobox/choice'
import { SearchSelect } from '../../../components/combobox/search-select'
import { VendorMark } from '../../../domain/vendor-mark'

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

/** Figures of a lane's last response, beside those of the others wherever each is scrolled to. */
function LaneFacts({ lane }: { readonly lane: Lane }) {
  const { t } = useTranslation('playground')
  const { number } = useFormat()
  const answer = useSession((session) => lastAnswer(session, lane.id))
  const { tookMs, firstTokenMs, usage } = answer ?? {}
  const pace = tokensASecond(usage?.completionTokens ?? 0, firstTokenMs, tookMs)
  return (
    <p className={`${classes.facts} figures`}>
      {lane.parameters && <span data-is-own>{t('lane.ownParameters')}</span>}
      {answer && isArriving(answer) && <span>{t('answer.loading')}</span>}
      {answer?.status === 'error' && <span data-is-bad>{t('fact.failed')}</span>}
      {tookMs !== undefined && <span>{formatDuration(tookMs)}</span>}
      {firstTokenMs !== undefined && <span>{t('fact.firstToken', { duration: formatDuration(firstTokenMs) })}</span>}
      {pace !== undefined && <span>{t('fact.pace', { pace: number(Math.round(pace)) })}</span>}
      {usage && (
        <span>
          {t('fact.tokens', { prompt: number(usage.promptTokens), completion: number(usage.completionTokens) })}
        </span>
      )}
      {answer && <AnswerCost answer={answer} />}
    </p>
  )
}

interface ModelSelectProps {
  readonly model: string
  /** Models that this group has are listed first. */
  readonly group: string
  readonly onChange: (model: string) => void
}

function ModelSelect({ model, group, onChange }: ModelSelectProps) {
  const { t } = useTranslation('playground')
  const known = useKnownChoices()
  const choices = useMemo(() => {
    const all = withValues(choicesOf(known.models), model === '' ? [] : [model]).map((choice) => ({
      ...choice,
      icon: <VendorMark id={known.makerOf(choice.value) ?? ''} name={choice.value} />,
    }))
    const served = all.filter(({ value }) => known.isServed(value, group))
    const others = all.filter(({ value }) => !known.isServed(value, group))
    if (others.length === 0) return served
    return [
      ...served.map((choice) => ({ ...choice, heading: t('model.inGroup', { group }) })),
      ...others.map((choice) => ({ ...choice, heading: t('model.others') })),
    ]
  }, [known, model, group, t])
  const isElsewhere = model !== '' && !known.isServed(model, group)
  return (
    <SearchSelect
      aria-label={t('model.label')}
      placeholder={t('model.choose')}
      choices={choices}
      value={model || null}
      onChange={(next) => next !== null && onChange(next)}
      error={isElsewhere && t('model.notInGroup', { group })}
      style={{ flex: 1, minWidth: 0 }}
      size="xs"
    />
  )
}

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
