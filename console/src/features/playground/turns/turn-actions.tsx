import { ActionIcon } from '@mantine/core'
import { type Icon, IconChevronLeft, IconChevronRight } from '@tabler/icons-react'

import { useTranslation } from '../../../lib/text/i18n'
import { useChat } from '../hooks/chat-context'
import { versionsOf } from '../session/path'
import classes from './turns.module.css'
import { Tip } from '../../../components/tip'

interface VersionSwitchProps {
  readonly turnId: string
  readonly version: number
  readonly versions: number
}

/** Switches between versions of the conversation. */
export function VersionSwitch({ turnId, version, versions }: VersionSwitchProps) {
  const { t } = useTranslation('playground')
  const chat = useChat()
  function show(requested: number) {
    const session = chat.get()
    const turn = session.turns.find(({ id }) => id === turnId)
    const other = turn && versionsOf(session, turn).ids[requested]
    if (other) chat.dispatch({ kind: 'version-chosen', turnId: other })
  }
  return (
    <span className={classes.versions}>
      <SmallAction
        label={t('version.previous')}
        icon={IconChevronLeft}
        isDisabled={version === 0}
        onClick={() => show(version - 1)}
      />
      <span className="figures">{t('version.of', { number: version + 1, count: versions })}</span>
      <SmallAction
        label={t('version.next')}
        icon={IconChevronRight}
        isDisabled={version === versions - 1}
        onClick={() => show(version + 1)}
      />
    </span>
  )
}

interface SmallActionProps {
  readonly label: string
  readonly icon: Icon
  readonly isDisabled?: boolean
  readonly onClick: () => void
}

/** A small button below a message. */
export function SmallAction({ label, icon: ActionSign, isDisabled, onClick }: SmallActionProps) {
  return (
    <Tip label={label}>
      <ActionIcon size={24} aria-label={label} disabled={isDisabled} onClick={onClick}>
        <ActionSign size={14} />
      </ActionIcon>
    </Tip>
  )
}
