import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import {
  IconAdjustmentsHorizontal,
  IconCode,
  IconColumns,
  IconEraser,
  IconMessages,
  IconPencilPlus,
  IconPhoto,
  type Icon,
} from '@tabler/icons-react'

import { ConfirmButton } from '../../components/dialogs/confirm-button'
import { PageHeader } from '../../components/page/page-header'
import { Tip } from '../../components/tip'
import { useTranslation } from '../../lib/text/i18n'
import { useChat, useInspect, useSession } from './hooks/chat-context'
import { useKnownChoices } from './hooks/use-choices'
import type { PanelName } from './panel'
import classes from './playground.module.css'
import { maxLanes } from './session/session'

interface ConversationBarProps {
  readonly isShown: (name: PanelName) => boolean
  readonly onToggle: (name: PanelName) => void
}

const route = getRouteApi('/playground')

/** The page's name, and actions for the session as a whole. */
export function ConversationBar({ isShown, onToggle }: ConversationBarProps) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  const navigate = route.useNavigate()
  const { models } = useKnownChoices()
  const lanes = useSession((session) => session.lanes)
  const turns = useSession((session) => session.turns.length)
  const inspect = useInspect()
  const compare = () =>
    chat.addLane(
      nextModel(
        models,
        lanes.map(({ model }) => model),
      ),
    )
  return (
    <div className={classes.bar}>
      <BarButton
        label={t('panel.sessions')}
        icon={IconMessages}
        isOn={isShown('sessions')}
        onClick={() => onToggle('sessions')}
      />
      <PageHeader title={t('title')}>
        <BarButton label={t('session.new')} icon={IconPencilPlus} onClick={() => void navigate({ search: {} })} />
        <BarButton
          label={t('lane.add')}
          word={t('bar.compare')}
          icon={IconColumns}
          isDisabled={lanes.length >= maxLanes}
          onClick={compare}
        />
        <BarButton
          label={t('studio.open')}
          word={t('bar.images')}
          icon={IconPhoto}
          onClick={() => void navigate({ search: { make: 'images' } })}
        />
        <ConfirmButton
          title={t('clear.title')}
          question={t('clear.question', { count: turns })}
          confirmText={t('clear.action')}
          onConfirm={() => chat.clear()}
          trigger={(open) => (
            <BarButton
              label={t('clear.action')}
              word={t('bar.clear')}
              icon={IconEraser}
              isDisabled={turns === 0}
              onClick={open}
            />
          )}
        />
        <BarButton label={t('inspect.code')} word={t('bar.code')} icon={IconCode} onClick={() => inspect({})} />
        <BarButton
          label={t('panel.settings')}
          icon={IconAdjustmentsHorizontal}
          isOn={isShown('settings')}
          onClick={() => onToggle('settings')}
        />
      </PageHeader>
    </div>
  )
}

/** Returns a model that is not in use yet; names are sorted, so that the one after the last is similar to it. */
function nextModel(models: readonly string[], requested: readonly string[]): string {
  const last = requested.at(-1) ?? ''
  const at = models.indexOf(last) + 1
  return [...models.slice(at), ...models.slice(0, at)].find((model) => !requested.includes(model)) ?? last
}

interface BarButtonProps {
  readonly label: string
  /** The part of the label that is shown where there is room; default: all of it. */
  readonly word?: string
  readonly icon: Icon
  /** State of a toggle button. */
  readonly isOn?: boolean
  readonly isDisabled?: boolean
  readonly onClick: () => void
}

function BarButton({ label, word = label, icon: ButtonIcon, isOn, isDisabled, onClick }: BarButtonProps) {
  return (
    <Tip label={label}>
      <Button
        className={classes.barButton}
        aria-label={label}
        aria-pressed={isOn}
        variant={isOn ? 'light' : 'subtle'}
        color="gray"
        leftSection={<ButtonIcon size={18} />}
        disabled={isDisabled}
        onClick={onClick}
      >
        {word}
      </Button>
    </Tip>
  )
}
