import type { AnswerEvent } from '../events'

/** Returns whether each choice has one block open at a time, blocks are numbered without gaps, and nothing follows the end. */
export function isOrderly(events: readonly AnswerEvent[]): boolean {
  const choices = new Map<number, { open: number; next: number }>()
  for (const [at, event] of events.entries()) {
    if ((event.type === 'answer-end' || event.type === 'failure') && at < events.length - 1) return false
    if (!('block' in event)) continue
    const choice = choices.get(event.choice) ?? { open: -1, next: 0 }
    choices.set(event.choice, choice)
    if (event.type === 'block-start') {
      if (choice.open >= 0 || event.block !== choice.next) return false
      choice.open = choice.next
      choice.next += 1
    } else {
      if (event.block !== choice.open) return false
      if (event.type === 'block-end') choice.open = -1
    }
  }
  return events.at(-1)?.type === 'failure' || [...choices.values()].every(({ open }) => open < 0)
}
