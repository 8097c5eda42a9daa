type Members = Readonly<Record<string, unknown>>

/** What a response of any dialect says about itself. */
export interface AnswerFacts {
  readonly model?: string
  readonly finishReasons?: readonly string[]
}

const longestName = 255

/** Returns the model that responded and the finish reason, where the response has them. No content is read. */
export function answerFacts(answer: Members | undefined): AnswerFacts {
  if (!answer) return {}
  const reasons = [
    ...listOf(answer['choices']).map((choice) => choice['finish_reason']),
    ...listOf(answer['candidates']).map((candidate) => candidate['finishReason']),
    answer['stop_reason'],
  ].flatMap(nameIn)
  const [model] = [answer['model'], answer['modelVersion']].flatMap(nameIn)
  return { model, ...(reasons.length > 0 && { finishReasons: reasons }) }
}

const nameIn = (value: unknown): string[] =>
  typeof value === 'string' && value !== '' ? [value.slice(0, longestName)] : []

const listOf = (value: unknown): Members[] => (Array.isArray(value) ? value.filter(isMembers) : [])

const isMembers = (value: unknown): value is Members => typeof value === 'object' && value !== null
