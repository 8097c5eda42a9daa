import { SearchSelect } from '../../../components/combobox/search-select'
import type { ControlProps } from './control-props'

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]
const choices = zones.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))

/** A time zone by its IANA name. */
export function TimeZoneControl({ field, value, onChange, isDisabled }: ControlProps) {
  return (
    <SearchSelect
      {...field}
      choices={choices}
      chosen={{ value, label: value.replaceAll('_', ' ') }}
      value={value}
      onChange={(zone) => zone !== null && onChange(zone)}
      disabled={isDisabled}
    />
  )
}
