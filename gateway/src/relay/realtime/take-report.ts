import type { SessionReport } from '@tollgate/dialects'

import type { Conversation } from './conversation'
import type { SessionCharges } from './session-charges'

interface Takers {
  readonly charges: SessionCharges
  readonly conversation: Conversation
}

/** Takes in what a message of the upstream reports. Returns a promise where something is charged or held for it. */
export function takeReport(report: SessionReport, { charges, conversation }: Takers): Promise<void> | undefined {
  if (report.kind === 'output') charges.addOutput(report)
  else if (report.kind === 'session') conversation.configure(report.session)
  else if (report.kind === 'committed') conversation.commitSegment(report.partId)
  else if (report.kind === 'error') charges.releaseRefused(report.eventId)
  else if (report.kind === 'response-created') return charges.began(report.responseId)
  else if (report.kind === 'response-done') return charges.chargeResponse(report)
  else if (report.kind === 'transcript') charges.transcripts.addText(report.partId, report.text)
  else if (report.kind === 'transcribed') return charges.transcripts.chargeTranscript(report)
  else if (report.kind === 'transcription-failed') charges.transcripts.discard(report.partId)
  return undefined
}
