import type { AnswerEvent } from '../core/neutral/events'
import type { Usage } from '../core/usage'
import { type EventChange, TaggedThoughts, ThoughtsAsText } from './tagged-thoughts'
import type { ResponseOptions } from './translate'

export const changesOf = ({ thoughtsAsText, taggedThoughts }: ResponseOptions): EventChange[] => [
  ...(taggedThoughts ? [new TaggedThoughts()] : []),
  ...(thoughtsAsText ? [new ThoughtsAsText()] : []),
]

export const applyChanges = (events: readonly AnswerEvent[], options: ResponseOptions): readonly AnswerEvent[] =>
  changesOf(options).reduce((current, change) => current.flatMap((event) => change.event(event)), events)

/** The answer reports the usage that is charged. */
export const withUsage = (events: readonly AnswerEvent[], usage: Usage): readonly AnswerEvent[] => [
  ...events.filter(({ type }) => type !== 'usage' && type !== 'answer-end'),
  { type: 'usage', usage },
  { type: 'answer-end' },
]
