import * as z from 'zod'

import { stored } from './storage'

/** The code of whoever invited this visitor, from the link they came by; sent when they register. */
export const storedInvitation = stored('aff', z.string(), '', { isPlain: true })

/** Keeps the code of an invitation link. One without a code changes nothing. */
export function rememberInvitation(code: string | undefined): void {
  if (code) storedInvitation.set(code)
}
