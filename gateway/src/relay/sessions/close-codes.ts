/** The codes with which a session is closed. RFC 6455, section 7.4.1. */
export const closeCodes = {
  /** Over, as the upstream says. */
  done: 1000,
  /** The gateway stops, or the session has reached its time limit. */
  away: 1001,
  /** A message that is not text. */
  unsupported: 1003,
  /** A message that may not go on. */
  invalid: 1007,
  /** The caller has no quota left, or no access any more. */
  refused: 1008,
  /** The upstream broke off. */
  broken: 1011,
  /** The client is too far ahead of the upstream. */
  overload: 1013,
} as const
