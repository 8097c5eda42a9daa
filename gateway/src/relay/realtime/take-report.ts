import type { SessionReport } from '@tollgate/dialects'

import type { Conversation } from './conversation'
import type { SessionCharges } from './session-charges'

interface Takers {
  readonly charges: SessionCharges
  readonly conversation: Conversation
}

/** Takes in what a message of the upstream reports. Returns a promise where something is charged or held for it. */
export function takeReport(report: SessionReport, { charges, conversation }: Takers): Promise<void> | undefined {
  if (report.kind === 'output') charges.received(report)
  else if (report.kind === 'session') conversation.configured(report.session)
  else if (report.kind === 'committed') conversation.committed(report.partId)
  else if (report.kind === 'error') charges.refused(report.eventId)
  else if (report.kind === 'response-created') return charges.began(report.responseId)
  else if (report.kind === 'response-done') return charges.done(report)
  else if (report.kind === 'transcript') charges.transcripts.received(report.partId, report.text)
  else if (report.kind === 'transcribed') return charges.transcripts.done(report)
  else if (report.kind === 'transcription-failed') charges.transcripts.failed(report.partId)
  return undefined
}
