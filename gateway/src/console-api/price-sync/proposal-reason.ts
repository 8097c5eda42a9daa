import { priceSyncRoutes } from '@tollgate/contract'

const known: ReadonlySet<string> = new Set(priceSyncRoutes.proposalReasons)
const isReason = (text: string): text is priceSyncRoutes.ProposalReason => known.has(text)

/** Reads a stored reason; one of a later release is shown as the most general. */
export const proposalReason = (text: string): priceSyncRoutes.ProposalReason => (isReason(text) ? text : 'structure')
