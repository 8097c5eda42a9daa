import type { AnswerView } from '../../core/views'
import type { JsonObject } from '../../core/json'
import { objectOf, objectsOf, textOf } from '../../core/neutral/read'
import { errorIn } from '../../core/shared/errors'
import { failureIn } from '../../core/shared/reported-failure'
import { noUsage, type ReportedUsage } from '../../core/usage'

/** A read document. What it used are pages, which count as pictures. */
export function readOcrAnswer(answer: JsonObject): AnswerView {
  const { pages } = answer
  return {
    usage: usageIn(answer),
    error: errorIn(answer) ?? failureIn(answer, Array.isArray(pages)),
    toolCalls: 0,
    isEmpty: !Array.isArray(pages) || pages.length === 0,
    completionText: () =>
      objectsOf(pages)
        .map(({ markdown }) => textOf(markdown))
        .join('\n'),
  }
}

function usageIn({ usage_info: told, pages }: JsonObject): ReportedUsage | null {
  const { pages_processed: processed } = objectOf(told)
  if (typeof processed === 'number' && Number.isSafeInteger(processed) && processed >= 0) return ofPages(processed)
  return Array.isArray(pages) ? ofPages(pages.length) : null
}

const ofPages = (count: number): ReportedUsage => ({ ...noUsage, details: { image_count: count } })
