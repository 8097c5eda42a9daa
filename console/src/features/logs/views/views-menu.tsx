import { Button } from '@mantine/core'
import { IconBookmark, IconChevronDown, IconLink, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

import { MenuButton, type MenuItem } from '../../../components/menu-button'
import { copyText } from '../../../lib/browser/copy-text'
import { useTranslation } from '../../../lib/text/i18n'
import { withNamed } from '../../../lib/api/named-list'
import { notifySuccess } from '../../../lib/browser/notify'
import { isWorthKeeping, noFilters } from '../log-query'
import type { LogSearch } from '../log-search'
import { filtersOf, builtInViews, isSameView, renamedView, type SavedView, useSavedViews } from './saved-views'

const NameDialog = lazy(async () => ({ default: (await import('../../../components/dialogs/name-dialog')).NameDialog }))

interface ViewsMenuProps {
  readonly search: LogSearch
  readonly onChange: (change: LogSearch) => void
  /** Its button was pressed before this was loaded. */
  readonly isOpenAtFirst: boolean
}

/** Named sets of filters: choose one, save the current one, or share it as an address. */
export function ViewsMenu({ search, onChange, isOpenAtFirst }: ViewsMenuProps) {
  const { t } = useTranslation('logs')
  const isWorth = isWorthKeeping(search)
  const [isOpened, setOpened] = useState(isOpenAtFirst)
  // An address without filters matches no view.
  const { views = [], hasRoom, setViews } = useSavedViews(isOpened || isWorth)
  const [naming, setNaming] = useState<'new' | 'rename' | undefined>()
  const chosen = views.find((view) => isSameView(search, view.search))
  const builtIn: readonly SavedView[] = builtInViews.map(({ name, search }) => ({
    name: t(`view.given.${name}`),
    search,
  }))
  const shown = chosen ?? builtIn.find((view) => isSameView(search, view.search))

  const entry = (view: SavedView, index: number, startsGroup: boolean): MenuItem => ({
    id: `${startsGroup} ${index} ${view.name}`,
    label: view.name,
    isChosen: view === shown,
    startsGroup,
    onClick: () => onChange({ ...noFilters, ...view.search }),
  })
  const copyAddress = async () => {
    if (await copyText(window.location.href)) notifySuccess(t('action.copied'))
  }
  const ofChosen: readonly MenuItem[] = chosen
    ? [
        { id: 'rename', label: t('view.rename'), icon: IconPencil, onClick: () => setNaming('rename') },
        {
          id: 'remove',
          label: t('view.remove', { name: chosen.name }),
          icon: IconTrash,
          isDangerous: true,
          onClick: () => setViews(views.filter((view) => view !== chosen)),
        },
      ]
    : []
  return (
    <>
      <MenuButton
        label={t('view.label')}
        isOpenAtFirst={isOpenAtFirst}
        items={[
          ...builtIn.map((view, index) => entry(view, index, false)),
          ...views.map((view, index) => entry(view, index, index === 0)),
          {
            id: 'save',
            label: t('view.save'),
            icon: IconPlus,
            startsGroup: true,
            isDisabled: !isWorth || shown !== undefined || !hasRoom,
            onClick: () => setNaming('new'),
          },
          { id: 'link', label: t('view.copy'), icon: IconLink, onClick: () => void copyAddress() },
          ...ofChosen,
        ]}
        trigger={(props) => (
          <Button
            variant={shown ? 'light' : 'default'}
            leftSection={<IconBookmark size={14} />}
            rightSection={<IconChevronDown size={14} />}
            {...props}
            onClick={(event) => {
              setOpened(true)
              props.onClick(event)
            }}
          >
            {shown?.name ?? t('view.label')}
          </Button>
        )}
      />
      <Suspense>
        {naming && (
          <NameDialog
            title={t(naming === 'rename' ? 'view.rename' : 'view.save')}
            name={naming === 'rename' ? (chosen?.name ?? '') : ''}
            taken={views.map(({ name }) => name)}
            onName={(name) =>
              setViews(
                naming === 'rename' && chosen
                  ? renamedView(views, chosen.name, name)
                  : withNamed(views, { name, search: filtersOf(search) }),
              )
            }
            onClose={() => setNaming(undefined)}
          />
        )}
      </Suspense>
    </>
  )
}
