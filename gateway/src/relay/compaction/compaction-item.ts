import { inputItems, objectOf, textOf, type JsonObject } from '@tollgate/dialects'

import { AppError } from '../../platform/app-error'
import { bodyOf, type ParsedBody } from '../../channels/calls/parsed-body'
import { newResponseId } from '../../http/request/request-id'
import type { Seal } from '../../platform/store/seal'
import type { Context } from '../../context'

/** What is sealed here begins like this; what a vendor seals does not. */
const prefix = 'tollgate.'
const marker = `"${prefix}`

const intro = 'Summary of the conversation until here, in place of its messages:'

/** Returns an item that stands for a conversation. Only this user's calls can read it. */
export const compactionItem = (
  summary: string,
  userId: number,
  { seal, random }: Pick<Context, 'seal' | 'random'>,
) => ({
  id: newResponseId({ random }, 'cmp_'),
  type: 'compaction',
  encrypted_content: prefix + seal.seal(summary, `compactions#${userId}`),
})

/** Returns whether an input may have such an item; most are told by one look at the text. */
export const mayHoldCompaction = ({ text }: Pick<ParsedBody, 'text'>): boolean => text.includes(marker)

/** Returns a request with the summaries in place of the items made here. @throws AppError `object.compaction` for one that is not this user's. */
export function withSummaries(body: ParsedBody, userId: number, seal: Pick<Seal, 'open'>): ParsedBody {
  const { input } = body.json
  if (!Array.isArray(input)) return body
  const expanded = input.map((item: unknown, index) => {
    const sealed = textOf(objectOf(item)['encrypted_content'])
    if (!textOf(objectOf(item)['type']).startsWith('compaction') || !sealed.startsWith(prefix)) return item
    return summaryMessage(openSummary(sealed.slice(prefix.length), { userId, index }, seal))
  })
  return { ...body, ...bodyOf({ ...body.json, input: expanded }) }
}

const summaryMessage = (summary: string): JsonObject => ({
  type: 'message',
  role: 'user',
  content: [{ type: 'input_text', text: `${intro}\n\n${summary}` }],
})

function openSummary(
  sealed: string,
  { userId, index }: { readonly userId: number; readonly index: number },
  seal: Pick<Seal, 'open'>,
): string {
  try {
    return seal.open(sealed, `compactions#${userId}`)
  } catch (cause) {
    throw new AppError('object.compaction', { params: { place: `input[${index}]` }, cause })
  }
}

/** Returns the messages of the user, which are kept beside the summary. */
export const userMessages = (body: JsonObject, ctx: Pick<Context, 'random'>): readonly JsonObject[] =>
  inputItems(body)
    .filter(({ type = 'message', role }) => type === 'message' && role === 'user')
    .map(({ content }) => ({
      id: newResponseId(ctx, 'msg_'),
      type: 'message',
      role: 'user',
      status: 'completed',
      content: typeof content === 'string' ? [{ type: 'input_text', text: content }] : content,
    }))
