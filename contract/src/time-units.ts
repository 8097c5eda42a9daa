/** Rows and the wire have times in seconds since 1970; timers and durations are in milliseconds. */
export const minuteSeconds = 60
export const hourSeconds = 60 * minuteSeconds
export const daySeconds = 24 * hourSeconds

export const minuteMs = 60_000
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** Returns whether the runtime knows a time zone: an IANA name, or an offset such as `+08:00`. */
export function isTimeZone(zone: string): boolean {
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}

/** Returns whether it is the IANA name of a zone. Offsets have no daylight saving time. */
export const isNamedTimeZone = (name: string): boolean => /^[a-z]/i.test(name) && isTimeZone(name)
