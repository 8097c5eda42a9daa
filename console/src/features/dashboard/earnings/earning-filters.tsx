import { FilterBar } from '../../../components/filter-bar'
import { ChannelSelect } from '../../../components/combobox/channel-select'
import { useViewer } from '../../../lib/api/session'
import { useTranslation } from '../../../lib/text/i18n'
import type { EarningSearch } from './earning-search'
import type { EarningView } from './earning-view'

interface EarningFiltersProps {
  readonly search: EarningSearch
  readonly view: EarningView
  readonly onChange: (change: EarningSearch) => void
}

const names = ['model', 'group', 'username', 'key'] as const
const noFilters = { channel: undefined, model: undefined, group: undefined, username: undefined, key: undefined }

/** The filters of the page: by upstream key there are those of the channel and the key alone. */
export function EarningFilters({ search, view, onChange }: EarningFiltersProps) {
  const { t } = useTranslation('earnings')
  const mayReadChannels = useViewer().may('channels.read')
  const shown = names.filter((name) => (name === 'key') === view.isByKey)
  return (
    <FilterBar
      filters={shown.map((name) => ({ name, kind: 'text' as const, label: t(`filter.${name}`) }))}
      others={['channel', ...names]}
      values={{ ...search, channel: search.channel === undefined ? undefined : String(search.channel) }}
      onChange={(change) => {
        const { channel, ...texts } = change
        // Here it is only ever cleared, with all others.
        onChange(channel === undefined && 'channel' in change ? noFilters : texts)
      }}
    >
      {mayReadChannels && (
        <ChannelSelect
          size="xs"
          maw={200}
          aria-label={t('by.channel')}
          placeholder={t('by.channel')}
          isClearable
          value={search.channel}
          onChange={(channel) => onChange({ channel })}
        />
      )}
    </FilterBar>
  )
}
