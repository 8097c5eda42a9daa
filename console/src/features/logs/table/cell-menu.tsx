import { IconCopy, IconExternalLink, IconFilter, IconFilterOff, IconUser } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'

import type { MenuItem } from '../../../components/menu-button'
import { OpenMenu } from '../../../components/open-menu'
import { copyText } from '../../../lib/browser/copy-text'
import { useTranslation } from '../../../lib/text/i18n'
import { notifySuccess } from '../../../lib/browser/notify'
import { useViewer } from '../../../lib/api/session'
import { excluding, including } from '../filters/exclusions'
import type { LogSearch } from '../log-search'
import type { RowValue } from './row-values'
import type { OpenedCell } from './use-cell-menu'
import { focusRow } from '../../../components/peek/use-peek'

interface CellMenuProps {
  readonly opened: OpenedCell
  readonly search: LogSearch
  readonly onFilter: (change: LogSearch) => void
  readonly onUser: (id: number) => void
  readonly onClose: () => void
}

/** Menu for one value of a row, or for all of them. */
export function CellMenu({ opened: { anchor, row, values }, search, onFilter, onUser, onClose }: CellMenuProps) {
  const { t } = useTranslation('logs')
  const filters = useFilterItems(search, onFilter)
  const further = useFurtherItems()
  const [value, ...others] = values
  const isUser = value?.name === 'username'
  return (
    <OpenMenu
      anchor={anchor}
      label={t('cell.label')}
      items={[
        ...values.flatMap(filters),
        ...(value && others.length === 0 ? further(value) : []),
        ...(isUser ? [{ id: 'user', label: t('user.title'), icon: IconUser, onClick: () => onUser(row.user_id) }] : []),
      ]}
      onClose={() => {
        onClose()
        focusRow(row.id)
      }}
    />
  )
}

/** Items that filter by a value or exclude it. */
export function useFilterItems(search: LogSearch, onFilter: (change: LogSearch) => void) {
  const { t } = useTranslation('logs')
  return (value: RowValue, index = 0): readonly MenuItem[] => {
    const { name, label } = value
    const words = { name: t(`filter.${name}`), value: label }
    return [
      {
        id: `${name}-is`,
        label: t('cell.is', words),
        icon: IconFilter,
        isChosen: search[name]?.toString() === value.value,
        startsGroup: index > 0,
        onClick: () => onFilter(including(search, value)),
      },
      {
        id: `${name}-is-not`,
        label: t('cell.isNot', words),
        icon: IconFilterOff,
        onClick: () => onFilter(excluding(search, value)),
      },
    ]
  }
}

function useFurtherItems() {
  const { t } = useTranslation('logs')
  const navigate = useNavigate()
  const mayOpenChannels = useViewer().may('channels.read')
  return ({ name, value, label }: RowValue): readonly MenuItem[] => {
    const copy = async () => {
      if (await copyText(label)) notifySuccess(t('action.copied'))
    }
    const items: MenuItem[] = [
      { id: 'copy', label: t('cell.copy'), icon: IconCopy, startsGroup: true, onClick: () => void copy() },
    ]
    if (name === 'channel' && mayOpenChannels)
      items.push({
        id: 'channel',
        label: t('cell.channel'),
        icon: IconExternalLink,
        onClick: () => void navigate({ to: '/admin/channels', search: { edit: Number(value) } }),
      })
    return items
  }
}
