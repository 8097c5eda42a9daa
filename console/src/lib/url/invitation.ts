import * as z from 'zod'

import { StoredValue } from '../browser/stored-value'

/** The invitation code from the link that the visitor came by; sent on registration. */
export const storedInvitation = new StoredValue('aff', z.string(), '', { isPlain: true })

/** Stores the code of an invitation link. A link without one changes nothing. */
export function rememberInvitation(code: string | undefined): void {
  if (code) storedInvitation.set(code)
}
