import { TimeZoneSelect } from '../../../components/fields/time-zone-select'
import type { ControlProps } from './control-props'

/** A time zone by its IANA name. */
export const TimeZoneControl = ({ field, value, onChange, isDisabled }: ControlProps) => (
  <TimeZoneSelect {...field} value={value} onChange={(zone) => zone !== null && onChange(zone)} disabled={isDisabled} />
)
