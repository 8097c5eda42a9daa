import { Group } from '@mantine/core'
import { groupRoutes } from '@tollgate/contract'

import { useRead } from '../../lib/api/query'
import { RatioBadge } from '../ratio-badge'
import { choicesOf, withValues } from './choice'
import { SearchSelect, type SearchSelectProps } from './search-select'

type GroupSelectProps = Omit<SearchSelectProps, 'choices' | 'chosen' | 'search'>

/** Selects any group of the site; for administrators. */
export function GroupSelect(props: GroupSelectProps) {
  const { data = [] } = useRead(groupRoutes.listGroups)
  return <SearchSelect {...props} choices={choicesOf(data)} />
}

interface OwnGroupSelectProps extends GroupSelectProps {
  /** Replaces the placeholder where the reader has no groups to choose from. */
  readonly noneText?: string
}

/** Selects one of the groups that the reader may use, with their ratios. */
export function OwnGroupSelect({ label, noneText, ...props }: OwnGroupSelectProps) {
  const { data: groups } = useRead(groupRoutes.ownGroups)
  const { value = null } = props
  const isNone = groups !== undefined && Object.keys(groups).length === 0
  const chosen = value === null ? undefined : groups?.[value]
  const choices = Object.entries(groups ?? {}).map(([name, { desc, ratio }]) => ({
    value: name,
    label: name,
    hint: desc,
    mark: <RatioBadge ratio={ratio} />,
  }))
  return (
    <SearchSelect
      {...props}
      label={
        label && (
          <Group gap={8} component="span" display="inline-flex">
            {label}
            {chosen && <RatioBadge ratio={chosen.ratio} />}
          </Group>
        )
      }
      description={chosen?.desc ?? props.description}
      placeholder={isNone ? noneText : props.placeholder}
      disabled={isNone || props.disabled}
      choices={groups ? withValues(choices, value === null ? [] : [value]) : []}
    />
  )
}
