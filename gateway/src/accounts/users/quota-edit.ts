/** What an edit does to a balance: nothing, a change that keeps what was spent since it was read, or a fixed value. */
export type QuotaEdit =
  | { readonly kind: 'keep' }
  | { readonly kind: 'change'; readonly amount: number }
  | { readonly kind: 'set'; readonly quota: number }

/**
 * Returns what an edit requests. With `read`, the balance that the edit began with, the difference counts; without it the balance becomes
 * `quota`.
 */
export function quotaEdit(quota: number | undefined, read: number | undefined): QuotaEdit {
  if (quota === undefined || quota === read) return { kind: 'keep' }
  return read === undefined ? { kind: 'set', quota } : { kind: 'change', amount: quota - read }
}
