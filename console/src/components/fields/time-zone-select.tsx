import { SearchSelect, type SearchSelectProps } from '../combobox/search-select'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
const choiceOf = (zone: string) => ({ value: zone, label: zone.replaceAll('_', ' ') })
const choices = zones.map(choiceOf)

/** Selects a time zone by its IANA name; one that the browser does not know stays selected. */
export const TimeZoneSelect = (props: Omit<SearchSelectProps, 'choices' | 'chosen'>) => (
  <SearchSelect {...props} choices={choices} chosen={props.value ? choiceOf(props.value) : undefined} />
)
